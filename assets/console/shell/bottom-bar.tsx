/** The bar at the bottom on a phone, with the four main links in reach of a thumb. */
import { House, Menu as MenuIcon, Plus, Search } from 'lucide'
import { useApp } from '../app-context.ts'
import { Icon } from '../component/icon.tsx'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { openPalette } from './open-palette.ts'

export function BottomBar({ path, onMenu }: { path: string; onMenu: () => void }) {
  const { entities } = useApp()
  const [, section, name] = path.split('/')
  const entity = entities.find((each) => section === 'entities' && each.name === name)
  const canCreate = entity?.operations.create !== undefined
  return (
    <nav class="bottom-bar" aria-label={text.navigation.bottom}>
      <a href={hrefOf('/')} aria-current={path === '/' ? 'page' : undefined}>
        <Icon node={House} />
        {text.navigation.home}
      </a>
      <button type="button" onClick={openPalette}>
        <Icon node={Search} />
        {text.action.search}
      </button>
      {canCreate && (
        <a href={hrefOf(`/entities/${name}/new`)}>
          <Icon node={Plus} />
          {text.action.create}
        </a>
      )}
      <button type="button" onClick={onMenu}>
        <Icon node={MenuIcon} />
        {text.navigation.menu}
      </button>
    </nav>
  )
}
