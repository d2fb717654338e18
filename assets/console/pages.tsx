/** The pages of the console, and who finds them in the navigation. */
import type { ComponentChildren } from 'preact'
import { useApp } from './app-context.ts'
import { NewRow, RowDetail } from './entity/detail.tsx'
import { ImportPage } from './entity/import.tsx'
import { EntityList } from './entity/list.tsx'
import { DevelopersPage } from './page/developers.tsx'
import { HomePage } from './page/home.tsx'
import { text } from './text/text.ts'

export interface ConsolePage {
  path: string
  label: string
  group: string
  /** Any of them shows the page; none: everybody sees it. */
  permissions: readonly string[]
  show: () => ComponentChildren
}

export const pages: readonly ConsolePage[] = [
  {
    path: '/developers',
    label: text.navigation.developers,
    group: text.navigation.operation,
    permissions: [],
    show: () => <DevelopersPage />,
  },
]

export function PageContent({ path }: { path: string }) {
  const { entities, can } = useApp()
  if (path === '/') return <HomePage />
  const [, section, name, part, ...rest] = path.split('/')
  if (section === 'entities' && rest.length === 0) {
    const entity = entities.find((each) => each.name === name)
    if (entity === undefined) return <NotFound />
    if (part === undefined) return <EntityList key={entity.name} entity={entity} />
    if (part === 'new') return <NewRow key={entity.name} entity={entity} />
    if (part === 'import') return <ImportPage key={entity.name} entity={entity} />
    return <RowDetail key={part} entity={entity} id={part} />
  }
  const page = pages.find((each) => path === each.path || path.startsWith(`${each.path}/`))
  if (page === undefined || (page.permissions.length > 0 && !page.permissions.some(can))) return <NotFound />
  return <>{page.show()}</>
}

function NotFound() {
  return (
    <div class="notice" role="alert">
      <h1>{text.state.notFound}</h1>
    </div>
  )
}
