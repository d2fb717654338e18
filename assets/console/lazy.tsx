/** Makes a page whose code loads when the page is first shown, so that the first page stays small. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Loading } from './component/loading.tsx'
import { ErrorNotice } from './component/notice.tsx'
import { noteLost, onReturn } from './connection.ts'

type State<P> = { Page: ComponentType<P> } | { error: unknown } | null

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | null = null
  return function LazyPage(props: P) {
    const [state, setState] = useState<State<P>>(loaded === null ? null : { Page: loaded })
    useEffect(() => {
      if (loaded !== null) return
      load().then(
        (Page) => {
          loaded = Page
          setState({ Page })
        },
        (error: unknown) => {
          setState({ error })
          if (error instanceof TypeError) noteLost() // no reply
        },
      )
    }, [])
    useEffect(
      () => (state !== null && 'error' in state ? onReturn(() => location.reload()) : undefined),
      [state],
    )
    if (state === null) return <Loading />
    // After an upgrade of the service its files have other names: the page has to be loaded again.
    if ('error' in state) return <ErrorNotice error={state.error} retry={() => location.reload()} />
    return <state.Page {...props} />
  }
}
