/** A page whose code is loaded when it is first shown. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ErrorNotice } from './component/notice.tsx'
import { text } from './text/text.ts'

type Show = () => ComponentChildren

/** @param load imports the module, whose default export is the page */
export function lazy(load: () => Promise<{ default: Show }>): Show {
  let page: Show | null = null
  function LazyPage() {
    const [isLoaded, setLoaded] = useState(page !== null)
    const [error, setError] = useState<unknown>(null)
    const start = () => {
      setError(null)
      load().then((module) => {
        page = module.default
        setLoaded(true)
      }, setError)
    }
    useEffect(() => {
      if (!isLoaded) start()
    }, [])
    if (error !== null) return <ErrorNotice error={error} retry={start} />
    const Page = page
    return Page === null ? <p class="soft">{text.state.loading}</p> : <Page />
  }
  return () => <LazyPage />
}
