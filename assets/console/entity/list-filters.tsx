/** The bar below the tabs of a list: its filters, and the field that groups its rows. */
import { type EntityDescription, labelOf } from '../describe.ts'
import { text } from '../text/text.ts'
import { addressOf } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'
import type { ListAddress } from './list-address.ts'
import { fieldsFor, type ListLayout } from './list-layout.ts'

interface FiltersProps {
  entity: EntityDescription
  address: ListAddress
  layout: ListLayout
}

export function ListFilters({ entity, address, layout }: FiltersProps) {
  const { filters, useless, search, show } = address
  return (
    <FilterBar
      entity={entity}
      filters={filters}
      useless={useless}
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
    >
      <GroupChoice entity={entity} address={address} layout={layout} />
    </FilterBar>
  )
}

function GroupChoice({ entity, address, layout }: FiltersProps) {
  const fields = fieldsFor(entity, layout.name)
  const isTable = layout.name === 'table'
  if (fields.length < (isTable ? 1 : 2)) return null
  return (
    <label class="group-choice">
      <span class="soft">{text.table.groupBy[layout.name]}</span>
      <select
        value={layout.field?.name ?? ''}
        onChange={(event) => {
          const name = event.currentTarget.value
          // Without a group, the address says so by an empty value if the definition of the entity has a group.
          address.show({ group: name === '' && entity.console?.list?.group === undefined ? null : name })
        }}
      >
        {isTable && <option value="">{text.table.noGroup}</option>}
        {fields.map((field) => (
          <option key={field.name} value={field.name}>
            {labelOf(field)}
          </option>
        ))}
      </select>
    </label>
  )
}
