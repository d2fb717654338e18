/** What a feature offers to the search over all entities and to the home page: its rows, and what needs attention. */
import { type Static, Type } from 'typebox'
import type { TimeAllowance } from '../../database/executor.ts'
import type { Context } from '../context.ts'
import { hasAccess, type Permission } from '../permission.ts'
import { StringEnum, Uuid } from '../schema/schema.ts'
import type { FieldAccess } from './field.ts'

/** How well a row fits: its id or its number, its title, the beginnings of words, or parts of them. */
export const matchRanks = ['exact', 'title', 'word', 'part'] as const
export type MatchRank = (typeof matchRanks)[number]

export const FoundRow = Type.Object({
  id: { ...Uuid, description: 'The id of the row' },
  title: Type.String({
    description: 'The value of the member by which people recognise it',
    examples: ['Oak table'],
  }),
  match: StringEnum(matchRanks, {
    description:
      'How well it fits: `exact` for an id or a number, `title` if its title begins with the text, `word` if words begin with it, `part` otherwise',
    examples: ['title'],
  }),
  member: Type.String({ description: 'The member that matches', examples: ['name'] }),
  excerpt: Type.String({
    description: 'Its value, or the part of a long text around the match',
    examples: ['Oak table'],
  }),
})

export type FoundRow = Static<typeof FoundRow>

export interface FoundRows {
  /** The found rows, the best match first. */
  rows: FoundRow[]
  /** The number of rows that match, at most `maxCounted`. */
  total: number
  /** Whether more rows match than `total`. */
  isCapped: boolean
}

export interface SearchRequest {
  /** The text as the caller has typed it. */
  text: string
  limit: number
  maxCounted: number
  time: TimeAllowance
}

export interface RowFigures {
  count: number
  /** Whether there are more rows than `count`. */
  isCapped: boolean
  /**
   * New rows by day in UTC, such as `2026-01-31`, without days that have none; `null` where counting takes too long.
   */
  created: ReadonlyMap<string, number> | null
  /**
   * The figure that the entity's definition names, such as a sum, as decimal text; `null` if it is hidden or too
   * slow.
   */
  figure: string | null
}

export interface FiguresRequest {
  maxCounted: number
  /** The beginning of the first day. */
  since: string
  time: TimeAllowance
}

export interface BrowsedRows {
  /** The name of the entity: `ticket`. */
  readonly name: string
  /** What a caller needs to list the rows. */
  readonly access: FieldAccess
  /** Whether the search over all entities includes the rows. */
  readonly isSearched: boolean
  /** Searches the rows and members that the caller may read. @throws StatementTimedOut, DatabaseBusy */
  search(context: Context, request: SearchRequest): Promise<FoundRows>
  /** @returns the titles of the rows that the caller may read, by id */
  titles(context: Context, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** @throws StatementTimedOut, DatabaseBusy */
  figures(context: Context, request: FiguresRequest): Promise<RowFigures>
}

/** Where a count stops: at a number of rows, or when the time is over. */
export interface CountBounds {
  limit: number
  time: TimeAllowance
}

/** Work that waits for somebody, such as deliveries that have failed for good. */
export interface Need {
  /** A word from a small set, from which a client makes a text and a link: `failedDeliveries`. */
  readonly kind: string
  readonly access: Permission
  /** Whether only the host tenant has such work. */
  readonly isOfHost?: boolean
  /** @returns the number of items that wait, at most the limit @throws StatementTimedOut, DatabaseBusy */
  count(context: Context, bounds: CountBounds): Promise<number>
}

/** A step of setting up, which the state of the service shows to be done or not. */
export interface Step {
  /** A word from a small set, from which a client makes a text and a link: `secondUser`. */
  readonly kind: string
  /** What a caller needs to see whether the step is done. */
  readonly access: 'user' | Permission
  readonly isOfHost?: boolean
  /** @throws StatementTimedOut, DatabaseBusy */
  isDone(context: Context, time: TimeAllowance): Promise<boolean>
}

/** What a feature adds to the home page, beside its rows. */
export interface HomePart {
  readonly needs?: readonly Need[]
  readonly steps?: readonly Step[]
}

/** @returns the entities whose rows the caller may list */
export function listedBy({ actor }: Context, all: readonly BrowsedRows[]): BrowsedRows[] {
  return all.filter(({ access }) => hasAccess(actor?.permissions, access))
}
