/** Resolves the row rules of an entity: the fields that they name to columns, and references to other entities. */
import type { AuditedRows, ColumnType, RowRules, TableRules } from '../database/row-rule.ts'
import type { Member, Names, Shape } from './definition.ts'

interface RuleSource {
  /** Columns with which an index begins. */
  indexed: ReadonlySet<string>
  /** Reads the rules; `null` if the definition has none. */
  resolve: ((place: RulePlace) => TableRules) | null
}

export class RulePlace {
  readonly names: Names
  readonly #shape: Shape
  readonly #indexed: RuleSource['indexed']
  readonly #resolve: RuleSource['resolve']
  #isResolving = false

  constructor(names: Names, shape: Shape, { indexed, resolve }: RuleSource) {
    this.names = names
    this.#shape = shape
    this.#indexed = indexed
    this.#resolve = resolve
  }

  /** Whether the definition has rules of rows. */
  get isStated(): boolean {
    return this.#resolve !== null
  }

  /** @returns `null` without rules @throws Error for a rule that names what does not exist, or leads back to itself */
  rules(): TableRules | null {
    if (this.#resolve === null) return null
    if (this.#isResolving) throw this.fault('like leads in a circle back to this entity.')
    this.#isResolving = true
    try {
      return this.#resolve(this)
    } finally {
      this.#isResolving = false
    }
  }

  /** @param readers permissions of which a reader of the rows needs one; `null` for none */
  byTable(readers: AuditedRows['readers']): RowRules {
    const rules = this.rules()
    const audited = { subject: this.names.name, readers }
    return new Map(rules === null ? [] : [[this.names.table, { ...rules, audited }]])
  }

  /** @throws Error for a field that is no reference */
  reference(field: string): { column: string; target: RulePlace } {
    const { column, spec } = this.member(field)
    const target = spec.target?.()
    if (target === undefined || !('ruled' in target)) throw this.fault(`${field} refers to no entity.`)
    return { column, target: target.ruled as RulePlace } // of an entity
  }

  /** @throws Error for a field that there is not, or that rules cannot compare */
  member(field: string): Member & { type: ColumnType } {
    const member = this.#shape.members.find((each) => each.field === field)
    if (member === undefined) throw this.fault(`there is no field ${field}.`)
    const type = ruledTypeOf(member)
    if (type === null) throw this.fault(`${field} is ${member.spec.kind}, which rules do not compare.`)
    if (member.spec.kind !== 'reference' && !this.#indexed.has(member.column))
      throw this.fault(`${field} has no index: name it in sort, or first in unique.`)
    return { ...member, type }
  }

  fault(text: string): Error {
    return new Error(`${this.names.name}: in its rules of rows, ${text}`)
  }
}

/** @returns `null` for a member that rules do not compare */
export function ruledTypeOf({ spec: { kind } }: Pick<Member, 'spec'>): ColumnType | null {
  if (kind === 'reference') return 'uuid'
  return kind === 'text' || kind === 'enum' ? 'text' : null
}
