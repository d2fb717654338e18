/** The views of a list as tabs. A view restores saved filters, a sort and columns with one click. */
import { Plus, Settings2 } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import { Icon } from '../component/icon.tsx'
import { Popover } from '../component/popover.tsx'
import type { EntityDescription } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { usePreference } from '../preference.ts'
import { goTo, hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import type { ListAddress } from './list-address.ts'
import { ViewForm } from './view-form.tsx'
import { loadViews } from './view-requests.ts'
import { declaredViews, isChanged, type ListView, viewOf, widthsOf } from './views.ts'
import { widthsIn } from './widths.ts'

const all = 'all'

export function ViewTabs({ entity, address }: { entity: EntityDescription; address: ListAddress }) {
  const { user } = useApp()
  const { query } = address
  const { data, reload } = useLoaded(`views/${entity.name}`, () => loadViews(entity))
  const stored = (data ?? []).map(viewOf)
  const views = [...declaredViews(entity), ...stored]
  const current = views.find(({ key }) => key === query.get('view')) ?? null
  const [widths, setWidths] = usePreference(user.id, `list.${entity.name}`)
  const [isOpen, setOpen] = useState<'new' | 'change' | null>(null)
  const anchor = useRef<HTMLElement>(null)
  useDefaultView(entity, address, data === null ? null : stored)
  const takeWidths = ({ stored: view }: ListView) => {
    if (view !== null) setWidths({ ...widthsIn(widths), ...widthsOf(view) })
  }
  const canChange = current?.stored?.isChangeable === true
  return (
    <nav class="tabs view-tabs" aria-label={text.table.views} ref={anchor}>
      <a
        class="tab"
        href={hrefOf(`/entities/${entity.name}`, stored.length > 0 ? { view: all } : {})}
        aria-current={current === null ? 'page' : undefined}
      >
        {text.table.allRows}
      </a>
      {views.map((view) => (
        <a
          class="tab"
          key={view.key}
          href={hrefOf(`/entities/${entity.name}`, { ...view.parameters, view: view.key })}
          aria-current={view === current ? 'page' : undefined}
          onClick={() => takeWidths(view)}
        >
          {view.label}
          {view === current && isChanged(view, query) && (
            <span class="changed-mark" title={text.table.viewChanged}>
              <span class="hidden">{text.table.viewChanged}</span>
            </span>
          )}
        </a>
      ))}
      {canChange && (
        <button
          type="button"
          class="plain only-icon"
          aria-label={text.table.changeView}
          onClick={() => setOpen('change')}
        >
          <Icon node={Settings2} />
        </button>
      )}
      <button
        type="button"
        class="plain only-icon"
        aria-label={text.table.saveView}
        onClick={() => setOpen('new')}
      >
        <Icon node={Plus} />
      </button>
      {isOpen !== null && (
        <Popover
          anchor={anchor.current?.querySelector('button:last-of-type') ?? null}
          label={isOpen === 'new' ? text.table.saveView : text.table.changeView}
          onClose={() => setOpen(null)}
        >
          <ViewForm
            entity={entity}
            address={address}
            widths={widthsIn(widths)}
            stored={isOpen === 'change' ? (current?.stored ?? null) : null}
            onDone={(view) => {
              setOpen(null)
              reload()
              address.show({ view: view?.id ?? null }, { keepsPage: true, replaces: true })
            }}
            onClose={() => setOpen(null)}
          />
        </Popover>
      )}
    </nav>
  )
}

/** Opens the default view of the user's role. @param views `null` while they are not known */
function useDefaultView(
  { name }: EntityDescription,
  { query }: ListAddress,
  views: readonly ListView[] | null,
): void {
  const { roles } = useApp().user
  const isBare = [...query.keys()].length === 0
  const usual = isBare
    ? views?.find(({ stored }) => stored?.isDefaultFor.some((role) => roles.includes(role)) === true)
    : undefined
  useEffect(() => {
    if (usual !== undefined)
      goTo(hrefOf(`/entities/${name}`, { ...usual.parameters, view: usual.key }), { replaces: true })
  }, [usual?.key])
}
