/** The settings of tenants that all features declare: makes their shapes, and reads stored values and changes. */
import { hash } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Check } from 'typebox/value'
import { invalidField } from '../../errors.ts'
import { translationsOf } from '../../language/languages.ts'
import { inputReader, type Reader } from '../../schema/input.ts'
import { Nullable, withMembers } from '../../schema/schema.ts'
import { ConfigError } from '../../settings/config.ts'
import type { TenantSetting, TenantSettingCatalogue } from './setting.ts'

export type SettingValues = Readonly<Record<string, unknown>>

/** The maximum number of settings that all features together may declare. */
export const maxSettings = 100
/** The maximum size of one value as JSON. */
export const maxValueBytes = 8 * 1024

interface Declared {
  definition: TenantSetting
  accepts(value: unknown): boolean
}

export class DeclaredSettings {
  readonly #byName = new Map<string, Declared>()
  readonly #names = new Map<TenantSetting, string>()
  readonly entries: readonly (readonly [name: string, definition: TenantSetting])[]
  /** The values of a tenant that has set none. */
  readonly defaults: SettingValues
  /** A number that differs when a default or a schema differs, because the values of tenants may differ then. */
  readonly revision: number
  /**
   * The shapes of all values, of the public ones, of a change, and of a change by the host; `null` without such
   * settings.
   */
  readonly shapes: { all: TSchema; public: TSchema; change: TSchema; host: TSchema | null }
  #reader: Reader<TSchema> | null = null

  /** @throws ConfigError that names each fault of the definitions */
  constructor(catalogues: readonly TenantSettingCatalogue[]) {
    const entries = catalogues.flatMap((catalogue) => Object.entries(catalogue))
    const faults = entries.length > maxSettings ? [`There are more than ${maxSettings} tenant settings.`] : []
    for (const [name, definition] of entries) {
      const fault = this.#byName.has(name) ? 'is declared by two features' : faultOf(name, definition)
      if (fault !== null) faults.push(`The tenant setting ${name} ${fault}.`)
      this.#byName.set(name, { definition, accepts: lazily(definition.schema) })
      this.#names.set(definition, name)
    }
    if (faults.length > 0) throw new ConfigError(faults)
    this.entries = entries
    this.defaults = frozen(Object.fromEntries(entries.map(([name, { default: value }]) => [name, value])))
    this.shapes = shapesOf(entries)
    this.revision = Number.parseInt(hash('sha256', JSON.stringify(entries)).slice(0, revisionDigits), 16)
  }

  /** @throws Error for a definition that no feature declares */
  nameOf(definition: TenantSetting): string {
    const name = this.#names.get(definition)
    if (name === undefined) throw new Error('No feature declares this tenant setting.')
    return name
  }

  /** The values of a tenant. A stored value that a new version of its schema refuses counts as not set. */
  valuesOf(stored: SettingValues): SettingValues {
    const values: Record<string, unknown> = { ...this.defaults }
    for (const [name, value] of Object.entries(stored)) {
      const declared = this.#byName.get(name)
      if (declared?.accepts(value) === true) values[name] = value
    }
    return frozen(values)
  }

  /** @returns only the values that everybody may read */
  publicOf(values: SettingValues): SettingValues {
    return Object.fromEntries(
      Object.entries(values).filter(([name]) => this.#byName.get(name)?.definition.isPublic === true),
    )
  }

  /** @returns the names that only administrators of the host may change */
  forHost(names: readonly string[]): string[] {
    return names.filter((name) => this.#byName.get(name)?.definition.isForHost === true)
  }

  /**
   * Validates a change: values by name, and `null` for a setting that gets its default again.
   * @throws ServiceError `invalid` that names each setting that is unknown, or does not match its schema
   */
  readChange(input: unknown): SettingValues {
    this.#reader ??= inputReader(Type.Object(this.#optional(), { additionalProperties: false }))
    const isReset = ([name, value]: [string, unknown]) => value === null && this.#byName.has(name)
    const given = Object.entries(typeof input === 'object' && input !== null ? input : {})
    const set = Object.fromEntries(given.filter((entry) => !isReset(entry)))
    const change = this.#reader(set) as SettingValues // the shape is an object
    for (const [name, value] of Object.entries(change)) {
      if (bytesOf(value) > maxValueBytes)
        throw invalidField(name, `must not be larger than ${maxValueBytes / 1024} KiB`, {
          code: 'tooLarge',
          parameters: { limit: maxValueBytes / 1024, unit: 'KiB' },
        })
    }
    return { ...change, ...Object.fromEntries(given.filter(isReset)) }
  }

  #optional(): Record<string, TSchema> {
    const members = [...this.#byName].map(([name, { definition }]) => [
      name,
      Type.Optional(definition.schema),
    ])
    return Object.fromEntries(members)
  }
}

/** The number of hexadecimal digits of a revision. It is the last 20 bits of the version that clients compare. */
const revisionDigits = 5
const namePattern = /^[a-z][A-Za-z0-9]{0,49}$/

/**
 * @returns why the setting cannot be declared, or `null`. The schema is not compiled, because it is used only once
 *   here.
 */
function faultOf(name: string, { schema, default: value }: TenantSetting): string | null {
  if (!namePattern.test(name)) return 'must have a name of at most 50 letters and digits, in camel case'
  if (!Check(schema, value)) return 'has a default that does not match its schema'
  if (bytesOf(value) > maxValueBytes) return `has a default of more than ${maxValueBytes / 1024} KiB`
  if (value !== null && Check(schema, null)) return 'accepts null, and must have it as its default'
  return null
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null))
}

/**
 * @returns a check that compiles its schema on first use, because most processes read few settings from the database
 */
function lazily(schema: TSchema): Declared['accepts'] {
  let compiled: ReturnType<typeof Compile> | null = null
  return (value) => {
    compiled ??= Compile(schema)
    return compiled.Check(value)
  }
}

const ofChange = {
  additionalProperties: false,
  description: 'Omitted settings stay unchanged. With `null` a setting gets its default again.',
}

function shapesOf(entries: readonly [string, TenantSetting][]): DeclaredSettings['shapes'] {
  const members = (of: readonly [string, TenantSetting][]) =>
    Object.fromEntries(of.map(([name, definition]) => [name, labelled(name, definition)]))
  const changes = (of: readonly [string, TenantSetting][]) =>
    Object.fromEntries(of.map(([name, definition]) => [name, Type.Optional(orNull(definition))]))
  const ofHost = entries.filter(([, { isForHost }]) => isForHost)
  return {
    all: Type.Object(members(entries), {
      $id: 'TenantSettings',
      description: 'The settings of a tenant. One that the tenant has not set has its default.',
    }),
    public: Type.Object(members(entries.filter(([, { isPublic }]) => isPublic)), {
      $id: 'PublicTenantSettings',
      description: 'The settings of a tenant that everybody may read.',
    }),
    change: Type.Object(changes(entries), { $id: 'TenantSettingsInput', ...ofChange }),
    host:
      ofHost.length === 0 ? null : Type.Object(changes(ofHost), { $id: 'HostSettingsInput', ...ofChange }),
  }
}

/**
 * Adds to the schema, for the OpenAPI document, the name in other languages, and whether the tenant cannot change
 * it.
 */
function labelled(name: string, { schema, labels = {}, isForHost = false }: TenantSetting): TSchema {
  const all = { ...translationsOf('settings', name), ...labels }
  const shown = isForHost ? withMembers(schema, { readOnly: true }) : schema
  return Object.keys(all).length === 0 ? shown : withMembers(shown, { 'x-labels': all })
}

/** @returns a schema of a change, which resets the setting with `null` */
function orNull({ schema }: TenantSetting): TSchema {
  return Check(schema, null) ? schema : Nullable(schema)
}

/** Freezes the values, because all readers share them. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}
