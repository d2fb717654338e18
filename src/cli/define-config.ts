/** Defines an application for the command `tenantry`, and loads that definition for other programs. */
import { fileURLToPath } from 'node:url'
import { ApplicationError } from '../core/feature/application-error.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import { findConfig, readApplication } from './application.ts'
import { type ApplicationConfig, copyOf, type DefinedConfig, type PackageCopy } from './application-config.ts'
import { runReported } from './command-line.ts'

/** The definition of an application, as `tenantry.config.ts` exports it by default. */
export function defineConfig(config: ApplicationConfig): DefinedConfig {
  return { ...config, [copyOf]: thisCopy }
}

const thisCopy: PackageCopy = {
  run: (config, file, words, surroundings) =>
    runReported(words, () => readApplication(config, file), surroundings),
}

/**
 * What the command `tenantry` gives to the service, for `createService` and `openOperator`.
 * @param file that exports the definition, if not that of the working directory
 * @throws ApplicationError, MigrationFileError
 */
export async function loadApplication(file: string | URL | null = null): Promise<ServiceOptions> {
  const application = await findApplication(file)
  if (application === null) throw new ApplicationError(`${process.cwd()} has no tenantry.config.ts.`)
  return application
}

/** @returns `null` if no file is named and the working directory has none @throws as `loadApplication` */
export async function findApplication(file: string | URL | null): Promise<ServiceOptions | null> {
  const found = await findConfig(file instanceof URL ? fileURLToPath(file) : file)
  if (found === null) return null
  if (found.config[copyOf] !== thisCopy)
    throw new ApplicationError(`${found.file} imports another copy of tenantry than this program.`)
  return readApplication(found.config, found.file)
}
