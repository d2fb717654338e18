import type { EntityDescription } from '../describe.ts'
import { addressOf } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import type { ListAddress } from './list-address.ts'

export function ListFilters({ entity, address }: { entity: EntityDescription; address: ListAddress }) {
  const { filters, unknown, search, show } = address
  return (
    <FilterBar
      entity={entity}
      filters={filters}
      unknown={unknown}
      search={search}
      onSearch={(words) =>
        show({ search: words === '' ? null : words }, { replaces: search !== '' && words !== '' })
      }
      onAdd={(filter, replaced) =>
        show({
          ...(replaced !== null && { [addressOf(replaced)]: null }),
          [addressOf(filter)]: filter.value,
        })
      }
      onRemove={(parameters) => show(Object.fromEntries(parameters.map((name) => [name, null])))}
    />
  )
}
