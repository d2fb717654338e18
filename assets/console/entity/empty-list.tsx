/** A list without rows: what will be here, and the ways to get there. */
import { Upload } from 'lucide'
import { Icon } from '../component/icon.tsx'
import type { EntityDescription } from '../describe.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { EntityTile, NewLink } from './list-head.tsx'

export function EmptyList({ entity, isFiltered }: { entity: EntityDescription; isFiltered: boolean }) {
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
