/** The hints of a definition, checked against its fields and the filters of its lists. */
import { conditionOf, type Filters } from './condition.ts'
import type { NamedFields } from './named-fields.ts'

/** Its methods turn names of fields into those of members. They throw Error for a name that the place cannot have. */
export class HintCheck {
  readonly fields: NamedFields
  readonly #filters: () => Filters

  constructor(fields: NamedFields, filters: () => Filters) {
    this.fields = fields
    this.#filters = filters
  }

  /** @throws Error for an unknown name, which a definition in JavaScript may have, because no compiler checks it */
  requireMembers(place: string, given: object, known: object): void {
    for (const name of Object.keys(given)) this.fields.oneOf(place, name, Object.keys(known), 'no hint')
  }

  membersOf(place: string, names: readonly string[]): string[] {
    return names.map((name) => this.fields.named(place, name).member)
  }

  titled(place: string, name: string): string {
    return this.fields.named(place, name, ['text', 'sequence', 'integer', 'enum', 'date']).member
  }

  sort(place: string, name: string): string {
    const { member } = this.fields.named(place, name.replace(/^-/, ''))
    return `${name.startsWith('-') ? '-' : ''}${member}`
  }

  condition(place: string, given: object): Record<string, string> {
    return conditionOf(this.fields, this.#filters(), { place, given: { ...given } })
  }

  /** @param condition as `condition` has returned it */
  compared(condition: Readonly<Record<string, string>>) {
    return Object.entries(condition).flatMap(([parameter, text]) => {
      const filter = this.#filters().get(parameter)
      if (filter === undefined) return []
      return [{ filter, text, kind: this.fields.kindOf(parameter.replace(/\[.*$/, '')) }]
    })
  }
}
