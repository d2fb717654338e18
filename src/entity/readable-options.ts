/** The options of `readable(…)`, which lets callers read the rows of a table that other code writes. */
import type { TObject } from 'typebox'
import type { Context, Shared } from '../core/context.ts'
import type { RowsReached } from '../core/feature/field.ts'
import type { Route } from '../core/feature/route.ts'
import type { DeclaredNames } from '../core/names.ts'
import type { Permission } from '../core/permission.ts'
import type { Filter } from '../database/read/filter.ts'
import type { Completed, Derivation } from '../database/read/read-model.ts'
import type { FilterParameter } from './filter.ts'

/** How a member differs from the column of its name. */
export interface MemberSource {
  column?: string
  /** How the database makes the member from columns. */
  derived?: Derivation
  /** How the process makes the member after the read: see `completedText`. */
  completed?: Completed
  /** The maximum size of a member that is stored as JSON text. */
  jsonBytes?: number
}

/** @typeParam S the schema of a row @typeParam H the schema of members that only code sees */
export interface ReadableOptions<S extends TObject = TObject, H extends TObject = TObject> {
  /** A singular noun, the GraphQL field of one row: `webhookRule`. */
  name: string
  /** `webhookRules` */
  plural: string
  /** The GraphQL type of a row; by default the `$id` of its schema. */
  type?: string
  /** The schema of one row. Members with the name of their column need nothing else. */
  row: S
  /** The schema of a row in lists, if it has fewer members. */
  listed?: TObject
  /** The schema of members that `show` has and callers do not see. With `version` and `updatedAt` replies have validators. */
  hidden?: H
  table: string
  /** The column with the name of a row, if rows have no `id`, and the parameter of the path that has one. */
  key?: { column: string; parameter: string }
  /** Whether the table is in the catalogue, which has rows of all tenants in the shared database. */
  isInCatalogue?: boolean
  /** Whether the rows belong to all tenants, or to none. `reach` must then refuse callers who may not read them. */
  isOfInstallation?: boolean
  members?: Readonly<Record<string, MemberSource>>
  /** The singular, as it stands within a sentence: `rule`. */
  label: string
  path: string
  tag: string
  access: Permission
  /** Whether sessions of the webhook portal, which customers of a tenant use, may read the rows. */
  inPortal?: true
  /** Determines the rows that a caller may read; all rows of the tenant if absent. */
  reach?: RowsReached
  /** The members that filters name. An index serves them, or the rows are few. */
  filters: readonly string[]
  /** The members in which the search of the list looks. The rows are few: no index serves it. */
  search?: readonly string[]
  /** The members by which a list can be sorted. */
  sorts?: readonly string[]
  /** Sorts with an index on `(tenant, member, id)`. */
  indexes?: readonly string[]
  parameters?: Readonly<Record<string, FilterParameter>>
  /** A member whose values are names that features declare. The list reports a filter by an unknown name. */
  declared?: { member: string; names(shared: Shared): DeclaredNames }
  /** The member with the time of creation; `createdAt` if absent. */
  time?: string
  /** Whether the list is in the reverse order of creation unless a request sorts it. */
  isNewestFirst?: boolean
  /** Whether a request with no parameters but `parameters` gets all rows. Every other request gets a page. */
  isWhole?: boolean
  /** What the documents say of the list, and of one row, unless that route is written by hand. */
  documents: { list: Documented; get?: Documented }
}

export interface Documented {
  summary: string
  description: string
}

/** A list of the rows that belong to another object, such as the deliveries of one subscription. */
export interface ListUnder extends Documented {
  /** The path, with its parameters. */
  path: string
  errors?: NonNullable<Route['errors']>
  /** @returns the condition for rows that belong to the object that the parameters of the path name */
  within(context: Context, path: Readonly<Record<string, string>>): Promise<Filter>
}
