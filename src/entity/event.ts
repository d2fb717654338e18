/** The events of an entity: created, updated, deleted, and one for each action. */
import { type TSchema, Type } from 'typebox'
import type { AuditCatalogue } from '../core/audit/action.ts'
import type { EventAccess, EventCatalogue, EventRows } from '../core/events/event-type.ts'
import { english } from '../core/language/en.ts'
import { type Language, type Noun, type Translations, textNamed } from '../core/language/language.ts'
import { sentencesOf } from '../core/language/languages.ts'
import { Uuid } from '../core/schema/schema.ts'
import type { GrantedAccess } from './access.ts'
import type { EntityAction } from './behaviour.ts'
import type { Member, Names, Shape } from './definition.ts'
import type { Revealed } from './field-rules.ts'
import type { Keeping } from './history/option.ts'
import type { DescribedActions } from './parts.ts'
import { ruledTypeOf } from './rule-place.ts'

/** The last words of the names of an entity's events: `created` in `invoice.created`. */
export function eventWords(actions: ReadonlyMap<string, EntityAction>, keeping: Keeping | null): string[] {
  const ofActions = [...actions.values()].map(({ event }) => event)
  const restored = keeping === null || keeping.trashDays === null ? [] : ['restored']
  return ['created', 'updated', 'deleted', ...restored, ...ofActions]
}

/** The last words of the names of the events of actions. */
export function actionEvents(actions: DescribedActions): string[] {
  return Object.entries(actions).map(([name, { event }]) => event ?? pastOf(name))
}

/** @returns what has happened at each event of the entity, by the last word of its name */
export function summariesOf(
  names: Names,
  actions: ReadonlyMap<string, EntityAction>,
  keeping: Keeping | null,
): Record<string, string> {
  return Object.fromEntries(eventWords(actions, keeping).map((word) => [word, summaryOf(names, word)]))
}

/** The members in the payload of an event, by the last word of its name. */
export function payloadsOf(
  shape: Shape,
  chosen: Readonly<Record<string, readonly string[]>>,
): (event: string) => readonly string[] {
  const short = defaultPayload(shape)
  return (event) => chosen[event] ?? (event === 'deleted' ? [] : short)
}

/** Longer texts are not in payloads by default: receivers read them with the row. */
const maxPayloadCharacters = 2000

/** The members in the payload of an event, when the entity does not choose them. */
function defaultPayload({ members }: Shape): string[] {
  const isShort = ({ schema, spec }: Member) =>
    spec.kind !== 'json' && lengthOf(schema) <= maxPayloadCharacters
  return members.filter((member) => isShort(member) && member.rule.read === undefined).map(({ name }) => name)
}

/**
 * The members that an entity chooses for payloads, by the last word of the event.
 * @throws Error for a member that some callers may not read, unless it is marked with `reveal`
 */
export function chosenPayloads(
  { name }: Names,
  { members }: Shape,
  payload: Readonly<Record<string, readonly (string | Revealed)[]>>,
): Record<string, readonly string[]> {
  const chosen = Object.entries(payload).map(([event, listed]) => {
    const names = listed.map((each) => {
      if (typeof each !== 'string') return each.reveals
      if (members.find((member) => member.name === each)?.rule.read !== undefined)
        throw new Error(
          `${name}.payload.${event}: ${each} has a read rule, and all who receive the event would see it: leave it out, or write reveal('${each}').`,
        )
      return each
    })
    return [event, names] as const
  })
  return Object.fromEntries(chosen)
}

function lengthOf(schema: TSchema): number {
  return (schema as { maxLength?: number }).maxLength ?? 0 // of JSON Schema
}

interface DescribedEvents {
  /** Each action with the last word of its event. */
  actions: ReadonlyMap<string, Pick<EntityAction, 'event'>>
  /** The members of each payload. */
  payloadOf: (event: string) => readonly string[]
  /** The permission to receive every event. */
  access: EventAccess
  /** How row rules decide which events callers without that permission receive; absent without row rules. */
  rows?: EventRows
}

/** @param events the sentences that say what has happened, by the last word of the event */
export function eventsOf(
  names: Names,
  { members }: Shape,
  events: Readonly<Record<string, string>>,
  described: DescribedEvents,
): EventCatalogue {
  const { payloadOf, actions, ...access } = described
  const schemas = new Map(members.map(({ name, schema }) => [name, schema]))
  return Object.fromEntries(
    Object.entries(events).map(([event, summary]) => {
      const chosen = payloadOf(event).map((name) => [name, schemas.get(name) as TSchema] as const) // its own members
      const payload = Type.Object({ [`${names.name}Id`]: Uuid, ...Object.fromEntries(chosen) })
      const labels = translationsOf(names, event, actions)
      return [`${names.name}.${event}`, { summary, labels, payload, ...access }]
    }),
  )
}

/**
 * @returns the permission to receive every event. With row rules, also `rows`: the columns by which the rules decide
 * which events other callers receive, and the permission that those callers need.
 */
export function eventAccess(
  { table }: Names,
  { members }: Shape,
  { access: { operations, readsSome }, isRuled }: { access: GrantedAccess; isRuled: boolean },
): Pick<DescribedEvents, 'access' | 'rows'> {
  const asUser = (read: GrantedAccess['readsSome']) => (read === 'public' ? 'user' : read)
  const access = asUser(operations.read)
  if (!isRuled) return { access }
  const compared = members.flatMap((member) => {
    const type = ruledTypeOf(member)
    return type === null ? [] : [[member.name, { column: member.column, type }] as const]
  })
  return { access, rows: { table, access: asUser(readsSome), columns: new Map(compared) } }
}

/** The audited actions of the entity: one for each event, with the same name and sentence. */
export function auditedOf(events: EventCatalogue): AuditCatalogue {
  return Object.fromEntries(
    Object.entries(events).map(([name, { summary, labels = {} }]) => [name, { summary, labels }]),
  )
}

/** `An invoice was sent.` */
function summaryOf({ label, labels }: Names, event: string): string {
  return happened(english, { one: label, many: labels }, { event, action: event })
}

function translationsOf(
  { translations }: Names,
  event: string,
  actions: DescribedEvents['actions'],
): Translations {
  const [name = event] = [...actions].find(([, each]) => each.event === event) ?? []
  return sentencesOf(translations, (language, noun, own) =>
    happened(language, noun, { event, action: textNamed(own.actions, name) ?? name }),
  )
}

function happened(
  { event: said }: Language,
  noun: Noun,
  { event, action }: { event: string; action: string },
): string {
  if (event === 'created' || event === 'updated' || event === 'deleted' || event === 'restored')
    return said[event](noun)
  return said.action(noun, action, event)
}

/** The past form of a regular verb: `void` → `voided`, `close` → `closed`, `apply` → `applied`. */
export function pastOf(verb: string): string {
  if (verb.endsWith('e')) return `${verb}d`
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`
}
