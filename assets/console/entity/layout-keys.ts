/** The keys of a board and of a calendar: arrows go from card to card, Space previews a card, M moves it. */
import type { Row } from '../describe.ts'
import { singleKeyOf } from '../single-keys.ts'
import type { ListAddress } from './list-address.ts'

interface Cards {
  rows: readonly Row[]
  address: ListAddress
  /** Opens the editor that moves a card; `null` if cards cannot be moved. */
  edit: ((row: Row) => void) | null
}

export function boardKeys({ rows, ...acts }: Cards): (event: KeyboardEvent) => void {
  return (event) => {
    const card = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-row]') : null
    const row = rows.find(({ id }) => id === card?.dataset['row'])
    if (card === null || row === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const next = neighbour(card, event.key)
    const act = next === null ? actOf(acts, row, event) : () => next.querySelector('a')?.focus()
    if (act === null) return
    event.preventDefault()
    act()
  }
}

function actOf(
  { address: { peeked, peek }, edit }: Omit<Cards, 'rows'>,
  row: Row,
  event: KeyboardEvent,
): (() => void) | null {
  const isButton = event.target instanceof HTMLButtonElement
  if (event.key === ' ') return isButton ? null : () => peek(peeked === row.id ? null : row.id)
  const isMove = singleKeyOf(event) === 'm' || event.key === 'F2'
  return isMove && edit !== null ? () => edit(row) : null
}

/** @returns the card in the direction of the key: above or below, or the nearest in the next column that has cards */
function neighbour(card: HTMLElement, key: string): Element | null {
  const column = card.parentElement
  const cards = [...(column?.querySelectorAll(':scope > [data-row]') ?? [])]
  const index = cards.indexOf(card)
  if (key === 'ArrowDown') return cards[index + 1] ?? null
  if (key === 'ArrowUp') return cards[index - 1] ?? null
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
  if (step === undefined) return null
  const lists = [...(card.closest('[aria-busy]')?.querySelectorAll('.board-cards') ?? [])].filter(
    (list) => list === column || list.querySelector('[data-row]') !== null,
  )
  const others = [...(lists[lists.indexOf(column ?? card) + step]?.querySelectorAll('[data-row]') ?? [])]
  return others[Math.min(index, others.length - 1)] ?? null
}
