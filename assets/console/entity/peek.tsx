/** The preview of a row in a panel beside its list, to look through rows without leaving the list. */
import { ChevronDown, ChevronUp, Maximize2, X } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../component/icon.tsx'
import { Loading } from '../component/loading.tsx'
import { ErrorNotice } from '../component/notice.tsx'
import {
  capital,
  type EntityDescription,
  type FieldDescription,
  labelOf,
  type Row,
  titleOf,
} from '../describe.ts'
import { useLoaded } from '../load.ts'
import { goTo, hrefOf } from '../router.ts'
import { singleKeyOf } from '../single-keys.ts'
import { text } from '../text/text.ts'
import { Badges } from './badges.tsx'
import { CellValue } from './cell-value.tsx'
import { EntityTile } from './entity-tile.tsx'
import type { ListAddress } from './list-address.ts'
import { importantFirst } from './list-state.ts'
import { RowActions } from './row-actions.tsx'
import { Subtitle } from './row-subtitle.tsx'
import { loadRecord } from './rows.ts'
import type { ShownRows } from './shown-rows.ts'
import { Value } from './value.tsx'

interface PeekProps {
  entity: EntityDescription
  id: string
  address: ListAddress
  shown: ShownRows
}

export function Peek({ entity, id, address: { peek }, shown }: PeekProps) {
  const href = hrefOf(`/entities/${entity.name}/${id}`)
  const place = shown.rows.findIndex((each) => each.id === id)
  const listed = shown.rows[place] ?? null
  // The row of the list is shown at once, until the whole row is read. It is read again whenever the list is.
  const { data, error, reload } = useLoaded(`${entity.name}/${id}`, () => loadRecord(entity, id))
  useEffect(reload, [listed])
  const row = data?.stored.row ?? listed
  const step = (by: number) => {
    const next = shown.rows[place + by]
    if (next !== undefined) peek(next.id)
  }
  usePeekKeys({ close: () => peek(null), step, open: () => goTo(href) })
  return (
    <aside class="peek" aria-label={row === null ? entity.label : titleOf(entity, row)}>
      <div class="peek-head">
        <span class="soft truncate">{capital(entity.labels)}</span>
        <span class="peek-buttons">
          <PeekButton
            label={text.table.previousRow}
            isDisabled={place <= 0}
            act={() => step(-1)}
            icon={ChevronUp}
          />
          <PeekButton
            label={text.table.nextRow}
            isDisabled={place === -1 || place === shown.rows.length - 1}
            act={() => step(1)}
            icon={ChevronDown}
          />
          <a class="button plain only-icon" href={href} aria-label={text.table.openRow}>
            <Icon node={Maximize2} />
          </a>
          <PeekButton label={text.action.close} act={() => peek(null)} icon={X} />
        </span>
      </div>
      <div class="peek-body">
        {error !== null && <ErrorNotice error={error} retry={reload} />}
        {row === null && error === null && <Loading />}
        {row !== null && error === null && (
          <>
            <div class="page-head">
              <EntityTile entity={entity} size="large" row={row} />
              <span class="titles">
                <h2>{titleOf(entity, row)}</h2>
                <Badges entity={entity} row={row} />
                <Subtitle entity={entity} row={row} />
              </span>
            </div>
            {data !== null && (
              <div class="row peek-actions">
                <RowActions
                  entity={data.allowed}
                  stored={data.stored}
                  onDone={() => {
                    shown.reload()
                    reload()
                  }}
                />
              </div>
            )}
            <Facts entity={entity} row={row} />
          </>
        )}
      </div>
      <div class="peek-keys note">
        <span>
          <kbd>{text.table.keys.next}</kbd> <kbd>{text.table.keys.previous}</kbd> {text.table.keyStep}
        </span>
        <span>
          <kbd>{text.table.keys.open}</kbd> {text.navigation.keyOpen}
        </span>
        <span class="end">
          <kbd>{text.navigation.keyEscape}</kbd> {text.table.keyBack}
        </span>
      </div>
    </aside>
  )
}

interface ButtonProps {
  label: string
  isDisabled?: boolean
  act: () => void
  icon: typeof X
}

function PeekButton({ label, isDisabled = false, act, icon }: ButtonProps) {
  return (
    <button type="button" class="plain only-icon" aria-label={label} disabled={isDisabled} onClick={act}>
      <Icon node={icon} />
    </button>
  )
}

function usePeekKeys(acts: { close: () => void; step: (by: number) => void; open: () => void }): void {
  const latest = useRef(acts)
  latest.current = acts
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof Element &&
        event.target.closest('dialog, [popover], input[type=search]') !== null
      if (event.defaultPrevented || isElsewhere) return
      const { close, step: go, open } = latest.current
      const key = event.key === 'Escape' ? event.key : singleKeyOf(event)
      const act = { Escape: close, j: () => go(1), k: () => go(-1), o: open }[key ?? '']
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

const shortText = 80

function Facts({ entity, row }: { entity: EntityDescription; row: Row }) {
  const fields = importantFirst(entity).filter(({ name }) => name !== entity.title)
  const isLong = (field: FieldDescription) =>
    (field.kind === 'text' && String(row[field.name] ?? '').length > shortText) || field.kind === 'json'
  return (
    <>
      <dl class="peek-facts">
        {fields
          .filter((field) => !isLong(field))
          .map((field) => [
            <dt key={`${field.name}-name`}>{labelOf(field)}</dt>,
            <dd key={field.name} class="truncate">
              {row[field.name] === null || row[field.name] === undefined ? (
                <span class="soft">{text.state.none}</span>
              ) : (
                <CellValue entity={entity} field={field} value={row[field.name]} />
              )}
            </dd>,
          ])}
      </dl>
      {fields
        .filter((field) => isLong(field) && row[field.name] !== null)
        .map((field) => (
          <section class="peek-part" key={field.name}>
            <h3>{labelOf(field)}</h3>
            <div class="long-text">
              <Value field={field} value={row[field.name]} />
            </div>
          </section>
        ))}
    </>
  )
}
