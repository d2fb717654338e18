/** The button that makes the current page a favourite, with the filters of a list. The key S does the same. */
import { Star } from 'lucide'
import { useLayoutEffect } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import { Icon } from '../component/icon.tsx'
import { usePlace } from '../router.ts'
import { singleKeyOf } from '../single-keys.ts'
import { text } from '../text/text.ts'
import { useFavourites } from './favourites.ts'

/** @param label of the page; `null` until it is known */
export function StarButton({ label }: { label: string | null }) {
  const { path, query } = usePlace()
  const { portal } = useApp()
  const { favourites, toggle } = useFavourites()
  const words = query.toString()
  const place = words === '' ? path : `${path}?${words}`
  const isStarred = favourites.some((each) => each.path === place)
  const isOffered = label !== null && portal === undefined
  // The listener is replaced at once, because the key would otherwise star the page before.
  useLayoutEffect(() => {
    if (!isOffered) return
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || singleKeyOf(event) !== 's') return
      toggle({ path: place, label })
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  if (!isOffered) return null
  return (
    <button
      type="button"
      class="only-icon plain star"
      aria-pressed={isStarred}
      aria-label={isStarred ? text.home.unstar : text.home.star}
      aria-keyshortcuts="s"
      onClick={() => toggle({ path: place, label })}
    >
      <Icon node={Star} />
    </button>
  )
}
