/** The types of events that features declare, each with the JSON Schema of its payloads and with who may see it. */
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { ColumnType } from '../../database/row-rule.ts'
import type { Translations } from '../language/language.ts'
import { DeclaredNames } from '../names.ts'
import { permits, type RequiredAccess, type Rights } from '../owner.ts'
import { errorFinder, type SchemaError } from '../schema/schema-errors.ts'

/** Who may see events of a type: every user of the tenant, its administrators, or those with a permission. */
export type EventAccess = RequiredAccess

export interface EventType {
  /** A sentence that says what has happened. */
  summary: string
  /** The summary in other languages: `{ de: 'Eine Bestellung wurde aufgegeben.' }`. */
  labels?: Translations
  /** The schema of payloads. Its `examples` make the example in the list of event types. */
  payload: TSchema
  /** Who may see all events of the type; absent: every user. For events of rows it is the permission to read them. */
  access?: EventAccess
  /** For events of rows with access rules: a user without `access` sees the events of rows that the rules permit. */
  rows?: EventRows
}

/** The rows that events of a type are about. */
export interface EventRows {
  table: string
  /** What a user needs to read any of the rows at all. */
  access: EventAccess
  /** The columns that rules compare, by the members of `EventState` that have their values. */
  columns: ReadonlyMap<string, { column: string; type: ColumnType }>
}

/** The event types of a feature by name. Names have the form `noun.pastVerb`. */
export type EventCatalogue = Readonly<Record<string, EventType>>

/**
 * The payload of each event. Every feature adds its events by declaration merging, and their schemas by its member
 * `events`.
 */
export interface EventPayloads extends Record<never, object> {}

export type PayloadsOf<C extends EventCatalogue> = { [T in keyof C]: Static<C[T]['payload']> }

/** The event types of all features. A payload that does not match its schema is a defect of the publishing code. */
export class EventTypes {
  readonly #types = new Map<string, EventType>()
  readonly #checks = new Map<string, Check>()
  /** What subscriptions may name: types, all types of a noun (`order.*`), and `*` for all types. */
  readonly declared: DeclaredNames
  readonly #names = new Map<string, string>()
  /** The types of events about rows that have access rules. */
  readonly ruled: readonly string[]

  /** @throws Error when two catalogues have the same name, without regard to case */
  constructor(catalogues: readonly EventCatalogue[]) {
    for (const [name, type] of catalogues.flatMap((catalogue) => Object.entries(catalogue))) {
      if (this.nameLike(name) !== null) throw new Error(`Two features declare the event ${name}.`)
      this.#types.set(name, type)
      this.#names.set(name.toLowerCase(), name)
    }
    this.ruled = [...this.#types].flatMap(([name, { rows }]) => (rows === undefined ? [] : [name]))
    this.declared = new DeclaredNames([...this.#types.keys()].flatMap(patternsFor))
  }

  /** @returns all types, sorted by name */
  list(): [name: string, type: EventType][] {
    return [...this.#types].sort(([one], [other]) => (one < other ? -1 : 1))
  }

  has(name: string): boolean {
    return this.#types.has(name)
  }

  /** The declared name that equals this one without regard to case; `null` if there is none. */
  nameLike(name: string): string | null {
    return this.#names.get(name.toLowerCase()) ?? null
  }

  /** @returns who may see all events of the type; `user` for a type that no feature declares */
  accessOf(name: string): EventAccess {
    return this.#types.get(name)?.access ?? 'user'
  }

  /** @returns who may see at least some events of the type */
  leastAccessOf(name: string): EventAccess {
    return this.#types.get(name)?.rows?.access ?? this.accessOf(name)
  }

  /** @returns `null` for a type whose events are not decided by rows */
  rowsOf(name: string): EventRows | null {
    return this.#types.get(name)?.rows ?? null
  }

  /** Whether somebody with these rights may see every event of the type. */
  isVisible(name: string, rights: Rights): boolean {
    return permits(rights, this.accessOf(name))
  }

  /** Whether somebody with these rights may see at least some events of the type. */
  isVisibleInPart(name: string, rights: Rights): boolean {
    return this.isVisible(name, rights) || permits(rights, this.leastAccessOf(name))
  }

  /** The types of which somebody with these rights may see no event. */
  hiddenFrom(rights: Rights): string[] {
    return [...this.#types.keys()].filter((name) => !this.isVisibleInPart(name, rights))
  }

  /** The types of which somebody with these rights sees only the events of rows that access rules permit. */
  byRowFor(rights: Rights): string[] {
    return this.ruled.filter(
      (name) => !this.isVisible(name, rights) && permits(rights, this.leastAccessOf(name)),
    )
  }

  /** @throws Error with the faults of the payload, or for an unknown type */
  check(name: string, payload: unknown): void {
    const faults = this.faultsOf(name, payload)
    if (faults !== null) throw new Error(`The payload of ${name} does not match its schema: ${faults}`)
  }

  /** @returns the faults of the payload, or `null` @throws Error for an unknown type */
  faultsOf(name: string, payload: unknown): string | null {
    const check = this.#checks.get(name) ?? this.#compile(name)
    if (check.accepts(payload)) return null
    return check
      .errorsOf(payload)
      .map(({ instancePath, message }) => `${instancePath} ${message}`.trim())
      .join('; ')
  }

  /** Compiles the schema of a type when it is first used, because most processes publish few types. */
  #compile(name: string): Check {
    const type = this.#types.get(name)
    if (type === undefined) throw new Error(`No feature declares the event ${name}.`)
    const compiled = Compile(type.payload)
    const check = { accepts: (payload: unknown) => compiled.Check(payload), errorsOf: errorFinder(compiled) }
    this.#checks.set(name, check)
    return check
  }
}

interface Check {
  accepts(payload: unknown): boolean
  errorsOf(payload: unknown): SchemaError[]
}

/** A word in the name of an event type. */
const word = '[A-Za-z0-9_-]+'

/**
 * The JSON Schema pattern of an entry in a subscription's `events`: a type, `order.*` or `*`. A type has two words
 * or more.
 */
export const eventPattern = `^(\\*|${word}(\\.${word})*\\.(${word}|\\*))$`

/**
 * All entries of `events` that match the type. `order.*` matches every type that begins with `order.`; case matters.
 */
export function patternsFor(type: string): string[] {
  const nouns = Array.from(type.matchAll(/\./g), ({ index }) => `${type.slice(0, index)}.*`)
  return ['*', type, ...nouns]
}

/**
 * Texts to search for in the stored `events` of subscriptions: each list with an entry for the type, other than "*",
 * contains one of the two. For a type with several nouns, lists for other types of the first noun contain the second.
 */
export function subscriptionSearchTexts(type: string): { named: string; below: string } {
  const [noun, ...rest] = type.split('.')
  return { named: `"${type}"`, below: rest.length > 1 ? `"${noun}.` : `"${noun}.*"` }
}
