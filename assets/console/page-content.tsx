/** Chooses the page at an address. The code of most pages loads when they are first shown. */
import { isShown } from './access.ts'
import { useApp } from './app-context.ts'
import { framesAt } from './frame/frames.ts'
import { lazy } from './lazy.tsx'
import { HomePage } from './page/home/home.tsx'
import { loadPages } from './pages.ts'
import { pageAt } from './shell/area.ts'
import { text } from './text/text.ts'

const EntityList = lazy(async () => (await loadPages()).EntityList)
const NewRow = lazy(async () => (await loadPages()).NewRow)
const ImportPage = lazy(async () => (await loadPages()).ImportPage)
const RowDetail = lazy(async () => (await loadPages()).RowDetail)

const FramePage = lazy(async () => (await loadPages()).FramePage)

export function PageContent({ path }: { path: string }) {
  const app = useApp()
  if (path === '/') return <HomePage />
  const [, section, name, part, ...rest] = path.split('/')
  if (section === 'entities' && rest.length === 0) {
    const entity = app.entities.find((each) => each.name === name)
    if (entity === undefined) return <NotFound />
    if (part === undefined) return <EntityList key={entity.name} entity={entity} />
    if (part === 'new') return <NewRow key={entity.name} entity={entity} />
    if (part === 'import') return <ImportPage key={entity.name} entity={entity} />
    return <RowDetail key={part} entity={entity} id={part} />
  }
  const frame = framesAt(app, 'page').find((each) => path === `/pages/${each.name}`)
  if (frame !== undefined) return <FramePage key={frame.name} frame={frame} />
  const page = pageAt(path)
  return page !== undefined && isShown(page, app) ? <page.Page /> : <NotFound />
}

function NotFound() {
  return (
    <div class="notice" role="alert">
      <h1>{text.state.notFound}</h1>
    </div>
  )
}
