/** The type of what `tenantry.config.ts` exports. */
import type { ApplicationConsole } from '../console/frame/options.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { AttributeFields } from '../service/declared-attributes.ts'
import type { DefaultRoles, RoleDeclarations } from '../service/declared-roles.ts'
import type { OptionalFeature } from '../service/without.ts'
import type { Surroundings } from './surroundings.ts'

/** What an application consists of. */
export interface ApplicationConfig {
  /** The features of the application, in addition to the built-in ones. */
  features: readonly Feature[]
  /** Built-in features that the application leaves out. */
  without?: readonly OptionalFeature[]
  /** The attributes of users and API keys, which rules of rows may name: `{ region: text() }`. */
  attributes?: AttributeFields
  /** Roles that every tenant has beside its own: the permissions of each by its name. */
  roles?: RoleDeclarations
  /** The roles that users get whose creator names none. */
  defaultRoles?: DefaultRoles
  /** The pages and panels that the application adds to the console. */
  console?: ApplicationConsole
  /** Whether every entity must have row rules: `access: { rows }`. */
  requireRows?: boolean
  /**
   * The folder of the application's migrations, by default `migrations` beside the file. A relative path begins at
   * the file.
   */
  migrations?: string | URL
}

/**
 * The member in which `defineConfig` notes the copy of the package that the application imports. The symbol is registered,
 * so that all copies in a process have it in common.
 */
export const copyOf = Symbol.for('tenantry.copy')

/** Runs a command with the copy of the package that the application imports: each copy has its own classes. */
export interface PackageCopy {
  /** @param words without `--config` @param file that exports the definition @returns the exit code */
  run(
    config: ApplicationConfig,
    file: string,
    words: readonly string[],
    surroundings: Surroundings,
  ): Promise<number>
}

export interface DefinedConfig extends ApplicationConfig {
  readonly [copyOf]: PackageCopy
}
