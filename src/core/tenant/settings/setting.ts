import type { Static, TSchema } from 'typebox'
import type { Translations } from '../../language/language.ts'

/** A setting that every tenant has, with the type of its value. */
export interface TenantSetting<T = unknown> {
  readonly schema: TSchema
  /** The value of a tenant that has not set it. */
  readonly default: T
  /** Whether everybody may read it. Otherwise only administrators of the tenant and code of the service may. */
  readonly isPublic: boolean
  /** Whether only administrators of the host may change it. Administrators of the tenant may read it. */
  readonly isForHost?: boolean
  /** Its name by language: `{ en: 'Prefix of invoices', de: 'Präfix der Rechnungen' }`. */
  readonly labels?: Translations
}

/** The settings that a feature declares, by name. Names are unique among the features. */
export type TenantSettingCatalogue = Readonly<Record<string, TenantSetting>>

/**
 * Declares a setting of tenants.
 * @param schema of the value; the documents of REST and GraphQL show its `description` and its `examples`
 */
export function setting<S extends TSchema>(
  schema: S,
  options: { default: Static<S>; public?: boolean; host?: boolean; labels?: Translations },
): TenantSetting<Static<S>> {
  const { labels, host } = options
  return {
    schema,
    default: options.default,
    isPublic: options.public ?? false,
    ...(host === true && { isForHost: true }),
    ...(labels !== undefined && { labels }),
  }
}
