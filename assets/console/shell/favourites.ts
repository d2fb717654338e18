/** The favourites of the user: rows, lists with their filters, and pages, in the order that the user chose. */
import { useApp } from '../app-context.ts'
import { usePreference } from '../preference.ts'
import { type Favourite, favouritesIn, moved } from './favourite.ts'

const name = 'favourites'
const maxFavourites = 30

export interface Favourites {
  favourites: readonly Favourite[]
  /** Adds the favourite, or removes it if there is one at its path. */
  toggle: (favourite: Favourite) => void
  /** Moves the favourite one place up or down. */
  move: (path: string, by: -1 | 1) => void
}

export function useFavourites(): Favourites {
  const { user } = useApp()
  const [value, set] = usePreference(user.id, name)
  const favourites = favouritesIn(value)
  return {
    favourites,
    toggle: (favourite) => {
      const others = favourites.filter(({ path }) => path !== favourite.path)
      const isThere = others.length < favourites.length
      set(isThere ? others : [...others.slice(0, maxFavourites - 1), favourite])
    },
    move: (path, by) => set(moved(favourites, path, by)),
  }
}
