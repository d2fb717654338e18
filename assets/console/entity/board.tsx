/**
 * A board: rows as cards, in a column for each word of an enum. A card is moved by dragging, or by a list of the
 * words.
 */
import { MoveHorizontal } from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Icon } from '../component/icon.tsx'
import { Loading } from '../component/loading.tsx'
import { ErrorNotice } from '../component/notice.tsx'
import {
  type EntityDescription,
  type FieldDescription,
  labelOf,
  type Row,
  titleOf,
  wordsOf,
} from '../describe.ts'
import { useLoaded } from '../load.ts'
import { numbers, text } from '../text/text.ts'
import { AnchoredEditor } from './anchored-editor.tsx'
import { type Move, useMoves, wordLabel } from './board-move.ts'
import { type EditedCell, useCellEditing } from './cell-editing.ts'
import { isSame } from './change-member.ts'
import { EmptyList } from './empty-list.tsx'
import { boardKeys } from './layout-keys.ts'
import type { LayoutProps } from './layout-props.ts'
import { columnsOf } from './list-state.ts'
import { RowCard } from './row-cards.tsx'
import { loadPage, type Page } from './rows.ts'
import { useReport } from './shown-rows.ts'
import { toneOf } from './tone.ts'

const shownCards = 50
const noRows: readonly Row[] = []

export function BoardLayout({ field, ...props }: LayoutProps) {
  return field === null ? null : <Board {...props} field={field} />
}

function Board({ entity, address, field, report }: LayoutProps & { field: FieldDescription }) {
  const words = shownWords(field, address.request)
  const key = JSON.stringify([field.name, words, address.request])
  const { data, error, isLoading, reload } = useLoaded(`board/${entity.name}/${key}`, (signal) =>
    loadColumns(entity, { field, words, request: address.request }, signal),
  )
  // The same list until it is loaded again: another one would be reported after each drawing.
  const loaded = useMemo(() => data?.flatMap((page) => page.rows) ?? noRows, [data])
  const total = data?.reduce((sum, page) => sum + (page.total ?? page.rows.length), 0) ?? null
  useReport(report, { rows: loaded, total, reload })
  const cells = useCellEditing(entity, data, reload)
  const { canMove, moveOf, form, editing } = useMoves(entity, field, { editing: cells, onDone: reload })
  const [dragged, setDragged] = useState<Dragged | null>(null)
  const rows = loaded.map(editing.shown)
  useFocusOfMoved(rows, cells.cell, field)
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <Loading />
  if (total === 0) return <EmptyList entity={entity} address={address} />
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the cards inside have the focus
    <div
      class={isLoading ? 'board is-loading' : 'board'}
      aria-busy={isLoading}
      onKeyDown={boardKeys({ rows, address, edit: canMove ? (row) => editing.begin(row, field) : null })}
    >
      {words.map((word, index) => (
        <BoardColumn
          key={word ?? ''}
          {...{ entity, field, word, canMove, dragged, setDragged }}
          cards={rows.filter((row) => (row[field.name] ?? null) === word)}
          total={countOf(data[index], { loaded, rows, field, word })}
          moveOf={(row) => moveOf(row, word)}
          onMove={(row) => editing.begin(row, field)}
          onMore={() => address.show({ layout: null, group: null, ...having(field.name, word) })}
        />
      ))}
      <AnchoredEditor entity={entity} editing={editing} />
      {form}
    </div>
  )
}

/** A card that was moved by keys keeps the focus in its new column. */
function useFocusOfMoved(rows: readonly Row[], cell: EditedCell | null, { name }: FieldDescription): void {
  const moving = useRef<Row | null>(null)
  if (cell !== null) moving.current = cell.row
  useEffect(() => {
    const row = rows.find(({ id }) => id === moving.current?.id)
    if (cell !== null || row === undefined || isSame(row[name], moving.current?.[name])) return
    moving.current = null
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>(`[data-row="${row.id}"] a`)?.focus()
  })
}

/** @returns the words that the filters allow */
function shownWords(field: FieldDescription, request: Readonly<Record<string, string>>): (string | null)[] {
  const given = request[field.name] ?? request[`${field.name}[in]`]
  const words = wordsOf(field)
  if (given !== undefined) return words.filter((word) => given.split(',').includes(word))
  return field.isNullable ? [...words, null] : words
}

function loadColumns(
  entity: EntityDescription,
  board: {
    field: FieldDescription
    words: readonly (string | null)[]
    request: Readonly<Record<string, string>>
  },
  signal: AbortSignal,
): Promise<Page[]> {
  const { name } = board.field
  const { [name]: _one, [`${name}[in]`]: _several, cursor: _cursor, ...request } = board.request
  return Promise.all(
    board.words.map((word) =>
      loadPage(entity, { ...request, ...having(name, word), limit: `${shownCards}`, count: 'true' }, signal),
    ),
  )
}

function having(name: string, word: string | null): Record<string, string> {
  return word === null ? { [`${name}[isNull]`]: 'true' } : { [name]: word }
}

/** @returns the number of rows of the column, with the cards that were moved here and away since. */
function countOf(
  page: Page | undefined,
  {
    loaded,
    rows,
    field,
    word,
  }: { loaded: readonly Row[]; rows: readonly Row[]; field: FieldDescription; word: string | null },
): number {
  const has = (row: Row) => (row[field.name] ?? null) === word
  return (page?.total ?? 0) - loaded.filter(has).length + rows.filter(has).length
}

interface Dragged {
  row: Row
  /** The word of the column below the pointer; `undefined` before the pointer has reached one. */
  to: string | null | undefined
}

interface ColumnProps {
  entity: EntityDescription
  field: FieldDescription
  word: string | null
  cards: readonly Row[]
  total: number
  canMove: boolean
  dragged: Dragged | null
  setDragged: (dragged: Dragged | null) => void
  moveOf: (row: Row) => Move
  onMove: (row: Row) => void
  /** Shows all of the column in a table. */
  onMore: () => void
}

function BoardColumn(props: ColumnProps) {
  const { entity, field, word, cards, total, canMove, dragged, setDragged, moveOf, onMove, onMore } = props
  const label = wordLabel(field, word)
  const isTarget = dragged !== null && dragged.to === word && (dragged.row[field.name] ?? null) !== word
  const move = isTarget ? moveOf(dragged.row) : null
  const columns = columnsOf(entity, null).filter(({ name }) => name !== field.name)
  return (
    <section
      class={['board-column', move !== null && (move.isRefused ? 'is-refused' : 'is-target')]
        .filter(Boolean)
        .join(' ')}
      aria-label={`${labelOf(field)}: ${label}`}
      onDragOver={(event) => {
        if (dragged === null) return
        event.preventDefault()
        if (dragged.to !== word) setDragged({ ...dragged, to: word })
      }}
      onDrop={(event) => {
        event.preventDefault()
        move?.make()
        setDragged(null)
      }}
    >
      <h2 class="board-heading">
        <span class={`badge ${toneOf(entity, field, word)}`}>{label}</span>
        <span class="soft figures">{numbers.format(total)}</span>
      </h2>
      <ul class="board-cards">
        {move !== null && (
          <li class="drop-place" aria-hidden="true">
            {move.label}
          </li>
        )}
        {cards.map((row) => (
          <li
            key={row.id}
            data-row={row.id}
            class={dragged?.row.id === row.id ? 'is-dragged' : undefined}
            draggable={canMove}
            onDragStart={(event) => {
              event.dataTransfer?.setData('text/plain', titleOf(entity, row))
              setDragged({ row, to: undefined })
            }}
            onDragEnd={() => setDragged(null)}
          >
            <RowCard entity={entity} columns={columns} row={row} />
            {canMove && (
              <button
                type="button"
                class="plain only-icon move-button"
                aria-label={text.table.move(titleOf(entity, row))}
                aria-keyshortcuts="m"
                onClick={() => onMove(row)}
              >
                <Icon node={MoveHorizontal} />
              </button>
            )}
          </li>
        ))}
        {total > cards.length && (
          <li class="board-more">
            <button type="button" class="link" onClick={onMore}>
              {text.table.moreRows(total - cards.length)}
            </button>
          </li>
        )}
      </ul>
    </section>
  )
}
