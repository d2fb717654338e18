/** Finds the fields that hints and labels of a definition name, and refuses hints with the place of the fault. */
import { notKnown } from '../../core/names.ts'
import type { Shape } from '../definition.ts'
import type { FieldSpec } from '../field.ts'

export interface NamedField {
  /** The member of a row. */
  member: string
  kind: FieldSpec['kind']
  spec: FieldSpec
}

const time = { kind: 'timestamp' } as FieldSpec // for createdAt and updatedAt, which no definition has

export class NamedFields {
  readonly #entity: string
  readonly #byName: ReadonlyMap<string, NamedField>

  constructor(entity: string, { members, children }: Shape) {
    this.#entity = entity
    this.#byName = new Map([
      ...members.map(({ field, name, spec }) => [field, { member: name, kind: spec.kind, spec }] as const),
      ...children.map(({ name, spec }) => [name, { member: name, kind: spec.kind, spec }] as const),
      ...['createdAt', 'updatedAt'].map(
        (name) => [name, { member: name, kind: time.kind, spec: time }] as const,
      ),
    ])
  }

  /** @param member of a row */
  kindOf(member: string): FieldSpec['kind'] | null {
    return [...this.#byName.values()].find((field) => field.member === member)?.kind ?? null
  }

  /** @throws Error for no field, or one of another kind */
  named(place: string, name: string, kinds?: readonly FieldSpec['kind'][]): NamedField {
    const field = this.#byName.get(name)
    if (field === undefined) return this.refuse(place, notKnown(name, 'no field', this.#byName.keys()))
    if (kinds !== undefined && !kinds.includes(field.kind))
      this.refuse(place, `${name} is ${field.kind}, and has to be ${kinds.join(' or ')}`)
    return field
  }

  /** @throws Error for a word that is none of these, with the nearest */
  oneOf(place: string, word: unknown, words: readonly string[], what: string): void {
    if (!words.includes(String(word))) this.refuse(place, notKnown(String(word), what, words))
  }

  refuse(place: string, reason: string): never {
    throw new Error(`${this.#entity}.${place}: ${reason}${reason.endsWith('?') ? '' : '.'}`)
  }
}
