/** What a list without rows shows: a description, and the links to create or import rows. */
import { Upload } from 'lucide'
import { Icon } from '../component/icon.tsx'
import type { EntityDescription } from '../describe.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { EntityTile } from './entity-tile.tsx'
import { addressOf } from './filter.ts'
import type { ListAddress } from './list-address.ts'
import { NewLink } from './list-head.tsx'

interface EmptyProps {
  entity: EntityDescription
  address: ListAddress
}

export function EmptyList({ entity, address }: EmptyProps) {
  const { isFiltered, filters, show } = address
  const clear = () =>
    show(Object.fromEntries([...filters.map(addressOf), 'search'].map((name) => [name, null])))
  const canCreate = entity.operations.create !== undefined
  return (
    <div class="empty-list">
      <div class="ghost" aria-hidden="true">
        {[4, 3, 5].map((width) => (
          <div key={width}>
            <i />
            <i style={{ width: `${width * 40}px` }} />
            <i style={{ width: `${width * 20}px` }} />
            <i style={{ width: '72px' }} />
          </div>
        ))}
      </div>
      <EntityTile entity={entity} size="large" />
      <h2>{isFiltered ? text.state.emptyFilter(entity.labels) : text.state.emptyList(entity.labels)}</h2>
      {isFiltered && (
        <button type="button" onClick={clear}>
          {text.table.showAll}
        </button>
      )}
      {!isFiltered && <p class="soft">{entity.description}</p>}
      {!isFiltered && canCreate && (
        <>
          <NewLink entity={entity} />
          <a class="card empty-way" href={hrefOf(`/entities/${entity.name}/import`)}>
            <Icon node={Upload} />
            <span>
              <strong>{text.importer.title(entity.labels)}</strong>
              <span class="soft">{text.table.importWay}</span>
            </span>
          </a>
        </>
      )}
    </div>
  )
}
