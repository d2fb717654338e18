import type { Static, TSchema } from 'typebox'

/** A setting that every tenant has, with the type of its value. */
export interface TenantSetting<T = unknown> {
  readonly schema: TSchema
  /** The value of a tenant that has not set it. */
  readonly default: T
  /** Whether everybody may read it. Otherwise only the administrators of the tenant and the code of the service do. */
  readonly isPublic: boolean
}

/** The settings that a feature declares, by name. Names are unique among the features. */
export type TenantSettingCatalogue = Readonly<Record<string, TenantSetting>>

/**
 * Declares a setting of tenants.
 * @param schema of the value; the documents of REST and GraphQL show its `description` and `examples`
 */
export function setting<S extends TSchema>(
  schema: S,
  options: { default: Static<S>; public?: boolean },
): TenantSetting<Static<S>> {
  return { schema, default: options.default, isPublic: options.public ?? false }
}
