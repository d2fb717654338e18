/** The page of an entity's rows. Its filters, its sort and its layout are in the address. */
import type { EntityDescription } from '../describe.ts'
import { Panels } from '../frame/application-frame.tsx'
import { BoardLayout } from './board.tsx'
import { CalendarLayout } from './calendar.tsx'
import { useListAddress } from './list-address.ts'
import { ListFilters } from './list-filters.tsx'
import { ListHead } from './list-head.tsx'
import { layoutOf } from './list-layout.ts'
import { Peek } from './peek.tsx'
import { useShownRows } from './shown-rows.ts'
import { TableLayout } from './table-layout.tsx'
import { ViewTabs } from './view-tabs.tsx'

const layouts = { table: TableLayout, board: BoardLayout, calendar: CalendarLayout }

export function EntityList({ entity }: { entity: EntityDescription }) {
  const address = useListAddress(entity)
  const [shown, report] = useShownRows()
  const layout = layoutOf(entity, address.query)
  const Layout = layouts[layout.name]
  return (
    <>
      <div class="list-page">
        <ListHead entity={entity} address={address} layout={layout} shown={shown} />
        <Panels place="list.above" entity={entity} onSaved={shown.reload} />
        <ViewTabs entity={entity} address={address} />
        <ListFilters entity={entity} address={address} layout={layout} />
        <Layout key={layout.name} entity={entity} address={address} field={layout.field} report={report} />
      </div>
      {address.peeked !== null && (
        <Peek key={address.peeked} entity={entity} id={address.peeked} address={address} shown={shown} />
      )}
    </>
  )
}
