/** The rows that the user changed last, and the places that the user has starred. */
import { Star } from 'lucide'
import { useApp } from '../../app-context.ts'
import { Icon } from '../../component/icon.tsx'
import { MomentInWords } from '../../component/moment-in-words.tsx'
import { capital, type EntityDescription, shownTitle } from '../../describe.ts'
import { hrefOf } from '../../router.ts'
import { iconOf } from '../../shell/entity-icon.ts'
import type { Favourite } from '../../shell/favourite.ts'
import { useFavourites } from '../../shell/favourites.ts'
import { text } from '../../text/text.ts'
import type { HomeData } from './home-data.ts'

type RecentRow = HomeData['recent'][number]

export function Recent({ rows }: { rows: readonly RecentRow[] | null }) {
  const { entities } = useApp()
  return (
    <section class="card lines">
      <h2>{text.home.recent}</h2>
      {rows?.length === 0 && <p class="soft">{text.home.noRecent}</p>}
      <ul>
        {rows?.map((row) => {
          const entity = entities.find(({ name }) => name === row.entity)
          return entity !== undefined && <RecentLine key={row.id} row={row} entity={entity} />
        })}
      </ul>
    </section>
  )
}

function RecentLine({ row, entity }: { row: RecentRow; entity: EntityDescription }) {
  return (
    <li>
      <a href={hrefOf(`/entities/${entity.name}/${row.id}`)}>
        <Icon node={iconOf(entity.console?.iconPath)} class="soft" />
        <span class="truncate">{shownTitle(entity, row.title)}</span>
        <span class="soft end">
          <MomentInWords value={row.at} />
        </span>
      </a>
    </li>
  )
}

export function Favourites() {
  const { favourites } = useFavourites()
  return (
    <section class="card lines">
      <h2>{text.home.favourites}</h2>
      {favourites.length === 0 && <p class="soft">{text.home.noFavourites}</p>}
      <ul>
        {favourites.map((favourite) => (
          <li key={favourite.path}>
            <a href={hrefOf(favourite.path)}>
              <Icon node={Star} class="soft" />
              <span class="truncate">{favourite.label}</span>
              <Kind favourite={favourite} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Kind({ favourite }: { favourite: Favourite }) {
  const { entities } = useApp()
  const [, section, name, id] = favourite.path.split(/[/?]/)
  const entity = section === 'entities' ? entities.find((each) => each.name === name) : undefined
  if (entity === undefined || id === undefined) return null
  return <span class="soft end">{capital(entity.label)}</span>
}
