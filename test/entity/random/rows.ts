/** Random rows of an entity, as callers give them. */
import fc, { type Arbitrary } from 'fast-check'
import { foldText } from '../../../src/database/fold-text.ts'
import type { Definition, Member } from './definition.ts'
import { kinds } from './kinds.ts'

export type Row = Record<string, unknown>

/** The rows of each entity that there are, by the path of its routes. */
export type Stored = ReadonlyMap<string, readonly Row[]>

export function anyRow({ members }: Definition, stored: Stored): Arbitrary<Row> {
  const given = members.filter(isGiven)
  const needed = given.filter(({ presence }) => presence === 'required').map(({ name }) => name)
  const values = Object.fromEntries(given.map((member) => [member.name, anyValue(member, stored)]))
  return fc.record(values, { requiredKeys: needed, noNullPrototype: true })
}

export function isGiven({ kind, presence }: Member): boolean {
  return presence !== 'readOnly' && kind !== 'sequence' && kind !== 'computed'
}

export function anyValue({ kind, isNullable, target }: Member, stored: Stored): Arbitrary<unknown> {
  const value = (): Arbitrary<unknown> => {
    const ids = (stored.get(target?.path ?? '') ?? []).map(({ id }) => id)
    const anyId = ids.length === 0 ? fc.constant(null) : fc.constantFrom(...ids)
    if (kind === 'reference') return anyId
    if (kind === 'many') return fc.array(anyItem(target === null ? null : anyId), { maxLength: 3 })
    return fc.constantFrom(...kinds[kind as keyof typeof kinds].values) // the others have no input
  }
  return isNullable ? fc.oneof({ weight: 3, arbitrary: value() }, fc.constant(null)) : value()
}

function anyItem(id: Arbitrary<unknown> | null): Arbitrary<Row> {
  const values = {
    label: fc.constantFrom(1, 2, 2_000_000_000),
    amount: fc.constantFrom(0, 0.1, 12.5),
    day: fc.constantFrom(null, '2026-01-01'),
    isOpen: fc.boolean(),
    ...(id !== null && { toId: id }),
  }
  return fc.record<Row>(values, { requiredKeys: ['label', 'amount'], noNullPrototype: true })
}

/** What a row has when it is created with the input: all members but those that the service makes. */
export function expectedRow({ members }: Definition, input: Row): Row {
  const shown = members.filter(({ kind }) => kind !== 'sequence' && kind !== 'computed')
  return Object.fromEntries(
    shown.map(({ name, kind, fallback, target }) => {
      const value = Object.hasOwn(input, name) ? input[name] : fallback
      const defaults = { day: null, isOpen: true, ...(target !== null && { toId: null }) }
      return [name, kind === 'many' ? (value as Row[]).map((item) => ({ ...defaults, ...item })) : value] // lists are given
    }),
  )
}

/** What no two rows have alike; `null` for a row that is like no other. */
export function uniqueKey({ unique, members, searched }: Definition, row: Row): string | null {
  if (unique.length === 0) return null
  const values = unique.map((name) => {
    const isFolded = searched.includes(name) || members.find((each) => each.name === name)?.kind === 'folded'
    return isFolded && row[name] !== null ? foldText(String(row[name])) : row[name]
  })
  return values.includes(null) ? null : JSON.stringify(values)
}
