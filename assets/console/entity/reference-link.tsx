/** A link to the row to which a field refers: its title, and a card with its values while the pointer is on it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import { placeBeside } from '../component/popover.tsx'
import { Tile } from '../component/tile.tsx'
import { type EntityDescription, type FieldDescription, labelOf, type Row, titleOf } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { isLong } from './layout.ts'
import { importantFirst } from './list-state.ts'
import { plainText } from './plain-text.ts'
import { Subtitle } from './row-subtitle.tsx'
import { loadRow } from './rows.ts'

const openAfterMs = 350
const closeAfterMs = 150
const shownFacts = 5

export function ReferenceLink({ field, id }: { field: FieldDescription; id: string }) {
  const { entities } = useApp()
  const entity = entities.find(({ name }) => name === field.entity)
  const { data, isLoading } = useLoaded<Row | null>(`${field.entity}/${id}`, async () =>
    entity === undefined ? null : loadRow(entity, id),
  )
  if (entity === undefined) return <code>{id}</code>
  if (data === null && isLoading)
    return (
      <span class="pending">
        <span class="hidden">{text.state.loading}</span>
      </span>
    )
  if (data === null) return <span class="soft">{text.record.unreadable(entity.label)}</span>
  return <LinkWithPeek entity={entity} row={data} />
}

function LinkWithPeek({ entity, row }: { entity: EntityDescription; row: Row }) {
  const link = useRef<HTMLAnchorElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isOpen, setOpen] = useState(false)
  const later = (is: boolean) => () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(is), is ? openAfterMs : closeAfterMs)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const title = titleOf(entity, row)
  const keep = { onPointerEnter: later(true), onPointerLeave: later(false) }
  return (
    <>
      <a
        class="named"
        ref={link}
        href={hrefOf(`/entities/${entity.name}/${row.id}`)}
        {...keep}
        onFocus={later(true)}
        onBlur={later(false)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isOpen) return
          event.preventDefault()
          setOpen(false)
        }}
      >
        <Tile name={title} size="small" />
        <span class="truncate">{title}</span>
      </a>
      {isOpen && <PeekCard entity={entity} row={row} title={title} anchor={link.current} keep={keep} />}
    </>
  )
}

interface PeekCardProps {
  entity: EntityDescription
  row: Row
  title: string
  anchor: Element | null
  /** Handlers that keep the card open while the pointer is on it. */
  keep: { onPointerEnter: () => void; onPointerLeave: () => void }
}

function PeekCard({ entity, row, title, anchor, keep }: PeekCardProps) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const card = element.current
    if (card === null || anchor === null) return
    card.showPopover()
    placeBeside(card, anchor)
    return () => card.hidePopover()
  }, [anchor])
  return (
    <div ref={element} popover="manual" role="tooltip" class="popover peek-card" {...keep}>
      <span class="row">
        <Tile name={title} />
        <span class="names">
          <strong>{title}</strong>
          <span class="note">{entity.label}</span>
          <Subtitle entity={entity} row={row} />
        </span>
      </span>
      <Facts entity={entity} row={row} />
    </div>
  )
}

/** The first short fields of those that lists show. */
function Facts({ entity, row }: { entity: EntityDescription; row: Row }) {
  const shown = importantFirst(entity).filter(
    (field) =>
      field.name !== entity.title &&
      field.kind !== 'reference' &&
      !isLong(field) &&
      (row[field.name] ?? '') !== '',
  )
  if (shown.length === 0) return null
  return (
    <dl class="facts">
      {shown.slice(0, shownFacts).map((field) => (
        <div key={field.name}>
          <dt>{labelOf(field)}</dt>
          <dd>{plainText(field, row[field.name])}</dd>
        </div>
      ))}
    </dl>
  )
}
