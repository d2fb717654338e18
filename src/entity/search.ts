/** Finds rows by a text: by an id, by a number, or by words that occur in the searched members. */
import type { Context } from '../core/context.ts'
import { type FoundRow, type FoundRows, matchRanks, type SearchRequest } from '../core/feature/browsed.ts'
import { isUuid } from '../core/id.ts'
import { foldText } from '../database/fold-text.ts'
import type { Filter } from '../database/read/filter.ts'
import { readRanked } from '../database/read/ranked.ts'
import type { ReadField } from '../database/read/read-model.ts'
import { isReadable } from '../database/read/readable.ts'
import type { Member } from './definition.ts'
import { excerptOf } from './excerpt.ts'
import { searchFilter, wordsOf } from './filter.ts'
import type { EntityParts } from './parts.ts'
import type { StoredRow } from './row.ts'
import type { TitleReader } from './title.ts'

type Parts = Pick<EntityParts, 'model' | 'rows' | 'search' | 'shape'> & { title: TitleReader }

/** The members to search, as far as the caller may read them, and what to search for. */
interface Searched {
  texts: readonly ReadField[]
  /** The fields of the kind `sequence`, which number the rows. */
  numbers: readonly ReadField[]
  /** `null` for a text that is no number. */
  number: number | null
  words: readonly string[]
}

const nothing: FoundRows = { rows: [], total: 0, isCapped: false }

export async function searchRows(
  context: Context,
  { text, limit, maxCounted, time }: SearchRequest,
  parts: Parts,
): Promise<FoundRows> {
  const { model, rows, title } = parts
  const named = isUuid(text) ? await rowOfId(context, text.toLowerCase(), parts) : null
  if (named !== null) return { rows: [named], total: 1, isCapped: false }
  const searched = searchedIn(context, text, parts)
  if (searched.texts.length === 0 && searched.number === null) return nothing
  const byNumber = numberFilter(searched)
  const filter: Filter = { kind: 'or', parts: [searchFilter(searched.texts, text, 'q'), byNumber] }
  // Rows are sorted by the first of these filters that they match.
  const ranks = [byNumber, titleFilter(searched, text, title), wordFilter(searched)]
  const request = { entity: model, filter, ranks, limit: maxCounted + 1 }
  const found = await readRanked(context.data, request, { time, take: () => undefined })
  const best = found.slice(0, limit)
  const ids = best.map(({ id }) => id)
  const byId = await rows.findAll(context, ids)
  const shown = best.flatMap(({ id, rank }): FoundRow[] => {
    const row = byId.get(id)
    const match = matchRanks[rank] ?? 'part'
    // A row that was deleted in the meantime is missing.
    return row === undefined
      ? []
      : [{ id, title: title.of(context, row), match, ...placeIn(row, searched, match) }]
  })
  return { rows: shown, total: Math.min(found.length, maxCounted), isCapped: found.length > maxCounted }
}

async function rowOfId(context: Context, id: string, { rows, title }: Parts): Promise<FoundRow | null> {
  const row = (await rows.findAll(context, [id])).get(id)
  if (row === undefined) return null
  return { id, title: title.of(context, row), match: 'exact', member: 'id', excerpt: id }
}

function searchedIn({ data }: Context, text: string, { model, search, shape }: Parts): Searched {
  const reads = isReadable(data.reach)
  const fieldsOf = (members: readonly Member[]) =>
    members.flatMap(({ name }) => model.fields.get(name) ?? []).filter(reads)
  const [, digits] = /^#?(\d{1,15})$/.exec(text) ?? []
  const numbers = fieldsOf(shape.members.filter(({ spec }) => spec.kind === 'sequence'))
  return {
    texts: fieldsOf(search),
    numbers,
    number: digits === undefined || search.length === 0 || numbers.length === 0 ? null : Number(digits),
    words: wordsOf(text),
  }
}

function numberFilter({ numbers, number }: Searched): Filter {
  if (number === null) return { kind: 'or', parts: [] }
  return {
    kind: 'or',
    parts: numbers.map((field) => ({ kind: 'compare', field, operator: 'eq', value: number })),
  }
}

function titleFilter({ texts }: Searched, text: string, title: TitleReader): Filter {
  const titles = texts.filter(({ name }) => name === title.name)
  return { kind: 'or', parts: titles.map((field) => caseFolded(field, 'startsWith', foldText(text))) }
}

/** Each word begins a word of a text. */
function wordFilter({ texts, words }: Searched): Filter {
  const begins = (word: string) =>
    texts.flatMap((field) => [
      caseFolded(field, 'startsWith', word),
      caseFolded(field, 'contains', ` ${word}`),
    ])
  return { kind: 'and', parts: words.map((word) => ({ kind: 'or', parts: begins(word) })) }
}

function caseFolded(field: ReadField, operator: 'startsWith' | 'contains', value: string): Filter {
  return { kind: 'compare', field, operator, value, ignoresCase: true }
}

/** Finds the place at which the text occurs. */
function placeIn(row: StoredRow, { texts, numbers, number, words }: Searched, match: FoundRow['match']) {
  if (match === 'exact') {
    const member = numbers.find(({ name }) => row[name] === number)
    if (member !== undefined) return { member: member.name, excerpt: String(number) }
  }
  for (const word of words)
    for (const { name } of texts) {
      const value = row[name]
      const excerpt = typeof value === 'string' ? excerptOf(value, word) : null
      if (excerpt !== null) return { member: name, excerpt }
    }
  return { member: 'id', excerpt: row.id } // the row has changed in the meantime
}
