/** The head of a list: its title, the number of its rows, and the actions on the whole list. */
import { Plus } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import { Icon } from '../component/icon.tsx'
import { Menu } from '../component/menu.tsx'
import { densityOf, useDensity } from '../density.ts'
import { capital, type EntityDescription } from '../describe.ts'
import { goTo, hrefOf } from '../router.ts'
import { singleKeyOf } from '../single-keys.ts'
import { numbers, text } from '../text/text.ts'
import { ColumnChooser } from './columns.tsx'
import { EntityTile } from './entity-tile.tsx'
import { ExportButtons } from './export.tsx'
import { parameterOf, requestedValue } from './filter.ts'
import { LayoutSwitch } from './layout-switch.tsx'
import type { ListAddress } from './list-address.ts'
import type { ListLayout } from './list-layout.ts'
import { columnsOf } from './list-state.ts'
import { useChanges } from './live.ts'
import type { ShownRows } from './shown-rows.ts'

/** The time to wait after a change, so that many changes at once reload the list once. */
const settleMs = 300

interface HeadProps {
  entity: EntityDescription
  address: ListAddress
  layout: ListLayout
  shown: ShownRows
}

export function ListHead({ entity, address, layout, shown: { total, reload } }: HeadProps) {
  const canCreate = entity.operations.create !== undefined
  const { user } = useApp()
  const [density] = useDensity(user.id)
  return (
    <div class="page-head list-head">
      <EntityTile entity={entity} />
      <h1>{capital(entity.labels)}</h1>
      {total !== null && <span class="soft figures">{numbers.format(total)}</span>}
      <Help {...entity.console} />
      <LiveMark entity={entity} address={address} reload={reload} />
      <span class="end">
        <LayoutSwitch entity={entity} layout={layout} address={address} />
        {layout.name === 'table' && (
          <ColumnChooser
            entity={entity}
            shown={columnsOf(entity, address.query.get('columns')?.split(',') ?? null)}
            onChange={(names) => address.show({ columns: names.join(',') }, { keepsPage: true })}
            density={densityOf(entity, address.query, density) ?? 'normal'}
            onDensity={(chosen) => address.show({ density: chosen }, { keepsPage: true })}
          />
        )}
        <Menu label={text.action.more}>
          <ExportButtons entity={entity} query={address.request} />
          {canCreate && (
            <a class="button" href={hrefOf(`/entities/${entity.name}/import`)}>
              {text.action.import}
            </a>
          )}
        </Menu>
        {canCreate && <NewLink entity={entity} />}
      </span>
    </div>
  )
}

function Help({ help }: { help?: string }) {
  if (help === undefined) return null
  if (!/^https?:/.test(help)) return <p class="soft truncate">{help}</p>
  return (
    <a href={help} target="_blank" rel="noreferrer">
      {text.list.help}
    </a>
  )
}

export function NewLink({ entity }: { entity: EntityDescription }) {
  const href = hrefOf(`/entities/${entity.name}/new`)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (singleKeyOf(event) !== 'c' || event.defaultPrevented) return
      event.preventDefault() // an empty list has two of these links, and the page is opened once
      goTo(href)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [href])
  return (
    <a class="button main" aria-keyshortcuts="c" href={href}>
      <Icon node={Plus} />
      {text.action.newRow(entity.label)}
    </a>
  )
}

interface LiveMarkProps {
  entity: EntityDescription
  address: ListAddress
  reload: () => void
}

function LiveMark({ entity, address: { filters }, reload }: LiveMarkProps) {
  const settle = useRef<ReturnType<typeof setTimeout>>(undefined)
  const filter = Object.fromEntries(filters.map((each) => [parameterOf(each), requestedValue(each)]))
  const isLive = useChanges(entity, filter, () => {
    clearTimeout(settle.current)
    settle.current = setTimeout(reload, settleMs)
  })
  return (
    <span class="live-mark" title={isLive ? text.state.live : undefined}>
      {isLive && <span class="hidden">{text.state.live}</span>}
    </span>
  )
}
