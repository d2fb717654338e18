/** The fields of a feature that is written by hand, such as orders: they make its schemas, columns and rows. */
import type { TOptional, TSchema, TUnsafe } from 'typebox'
import { changeMembers, inputMembers, type Member, membersOf } from './definition.ts'
import type { Fields, InputOf, ValuesOf } from './field.ts'
import { columnsOf, normalize, type Values, valuesOf } from './row.ts'
import { memberColumns } from './stored.ts'
import type { TableOf } from './table-type.ts'

/** The columns of the fields, with their types. */
export type ColumnsOf<F extends Fields> = Omit<
  TableOf<F>,
  'tenant_id' | 'id' | 'created_at' | 'updated_at' | 'version' | `search_${string}`
>

type OptionalKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T]
type Properties<T> = { [K in Exclude<keyof T, OptionalKey<T>>]: TUnsafe<T[K]> } & {
  [K in OptionalKey<T>]: TOptional<TUnsafe<Exclude<T[K], undefined>>>
}

/** The members that callers may give. */
type Given<F extends Fields> = Pick<ValuesOf<F>, keyof ValuesOf<F> & keyof InputOf<F>>

export class DeclaredFields<F extends Fields> {
  /** The schema of a row. */
  readonly row: Properties<ValuesOf<F>>
  /** The schema of what callers send to create a row. */
  readonly input: Properties<InputOf<F>>
  /** The schema of what callers send to change one. */
  readonly change: Properties<Partial<InputOf<F>>>
  readonly columns: readonly (keyof ColumnsOf<F> & string)[]
  /** The schemas of the values that the columns have. */
  readonly columnSchemas: Readonly<Record<string, TSchema>>
  readonly #members: readonly Member[]
  readonly #given: readonly Member[]

  /** @param name for errors @param fields without lists */
  constructor(name: string, fields: F) {
    const members = membersOf(name, fields, [])
    const given = inputMembers(members, [])
    this.#members = members
    this.#given = members.filter((member) => member.name in given)
    this.row = Object.fromEntries(members.map((each) => [each.name, each.schema])) as typeof this.row // one for each field
    this.input = given as typeof this.input // those that callers may give
    this.change = changeMembers(given) as typeof this.change // the same, optional
    this.columnSchemas = memberColumns(members)
    this.columns = members.map(({ column }) => column) as (keyof ColumnsOf<F> & string)[] // the columns of all fields
  }

  toColumns(row: ValuesOf<F>): ColumnsOf<F> {
    return columnsOf(this.#members, row) as ColumnsOf<F> // it has all of them
  }

  toValues(columns: ColumnsOf<F>): ValuesOf<F> {
    return valuesOf(this.#members, columns) as ValuesOf<F> // the values of all fields
  }

  /** @param before the row whose values omitted members keep; without it they get their defaults */
  given(input: Partial<InputOf<F>>, before: ValuesOf<F> | null = null): Given<F> {
    const values: Values = {}
    for (const member of this.#given) {
      const { name, spec } = member
      const given = (input as Values)[name] // by its name
      const absent = before === null ? (spec.fallback?.value ?? null) : (before as Values)[name] // by its name
      values[name] = given === undefined ? absent : given
      normalize(member, values)
    }
    return values as Given<F> // one value for each field that callers may give
  }
}
