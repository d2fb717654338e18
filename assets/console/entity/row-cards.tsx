/** The rows of a list on a phone: one card for each row, with its title, its state and further values. */
import type { EntityDescription, FieldDescription, Row } from '../describe.ts'
import { titleOf } from '../describe.ts'
import { hrefOf } from '../router.ts'
import { Badges } from './badges.tsx'
import { CellValue } from './cell-value.tsx'
import { Marked } from './marked.tsx'
import { Subtitle } from './row-subtitle.tsx'

interface CardsProps {
  entity: EntityDescription
  columns: readonly FieldDescription[]
  rows: readonly Row[] | null
  isLoading: boolean
  search: string
}

const placeholders = ['first', 'second', 'third', 'fourth', 'fifth']

export function RowCards({ entity, columns, rows, isLoading, search }: CardsProps) {
  if (rows === null)
    return (
      <div class="row-cards placeholder" aria-busy="true">
        {placeholders.map((each) => (
          <div class="row-card" key={each}>
            <span />
            <span />
          </div>
        ))}
      </div>
    )
  return (
    <ul class="row-cards" aria-busy={isLoading}>
      {rows.map((row) => (
        <li key={row.id}>
          <RowCard entity={entity} columns={columns} row={row} search={search} />
        </li>
      ))}
    </ul>
  )
}

interface CardProps {
  entity: EntityDescription
  columns: readonly FieldDescription[]
  row: Row
  search?: string
}

export function RowCard({ entity, columns, row, search = '' }: CardProps) {
  const subtitle = entity.console?.subtitle ?? ''
  const others = columns.filter(
    ({ name }) => name !== entity.title && !subtitle.includes(`{${name}`) && hasValue(row[name]),
  )
  const ofKind = (...kinds: readonly FieldDescription['kind'][]) =>
    others.filter(({ kind }) => kinds.includes(kind))
  const words = ofKind('enum').slice(0, 2)
  const facts = [...ofKind('date'), ...ofKind('money', 'timestamp', 'integer', 'text', 'sequence')]
  const cell = (field: FieldDescription) => (
    <span class="truncate" key={field.name}>
      <CellValue entity={entity} field={field} value={row[field.name]} search={search} />
    </span>
  )
  return (
    <article class="row-card">
      <a class="truncate" href={hrefOf(`/entities/${entity.name}/${row.id}`)}>
        <Marked words={titleOf(entity, row)} search={search} />
      </a>
      <div class="card-line">
        {entity.console?.subtitle === undefined ? (
          ofKind('reference').slice(0, 2).map(cell)
        ) : (
          <Subtitle entity={entity} row={row} />
        )}
      </div>
      <div class="card-line">
        <Badges entity={entity} row={row} />
        {words.map(cell)}
        {facts.slice(0, words.length > 0 ? 1 : 2).map(cell)}
      </div>
    </article>
  )
}

function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && value !== false
}
