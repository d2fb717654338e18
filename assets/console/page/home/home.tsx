/** The first page of the console: figures, work that waits for the user, and the last places of the user. */
import { get } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ErrorNotice } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { framesAt } from '../../frame/frames.ts'
import { lazy } from '../../lazy.tsx'
import { useLoaded } from '../../load.ts'
import { loadPages } from '../../pages.ts'
import { text } from '../../text/text.ts'
import { Figures } from './figures.tsx'
import type { HomeData } from './home-data.ts'
import { NeedsYou } from './needs-you.tsx'
import { Favourites, Recent } from './recent.tsx'
import { SetUp } from './set-up.tsx'

const Panels = lazy(async () => (await loadPages()).Panels)

export function HomePage() {
  const app = useApp()
  const { data, error, reload } = useLoaded('home', (signal) => get<HomeData>('/api/home', { signal }))
  return (
    <div class="stack">
      <PageHead title={text.home.title(app.user.firstName, new Date().getHours())} />
      {error !== null && <ErrorNotice error={error} retry={reload} />}
      <Figures data={data} />
      {framesAt(app, 'home').length > 0 && <Panels place="home" />}
      <div class="halves">
        <div class="stack">
          <NeedsYou waiting={data?.needsYou ?? null} />
          <Recent rows={data?.recent ?? null} />
        </div>
        <div class="stack">
          <SetUp steps={data?.steps ?? (error === null ? null : [])} />
          <Favourites />
        </div>
      </div>
    </div>
  )
}
