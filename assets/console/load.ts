/** Data of a view: loading, loaded, or failed. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

export interface Loaded<T> {
  data: T | null
  error: unknown
  isLoading: boolean
  reload: () => void
}

/**
 * What was loaded before stays until the new data is there, so that nothing jumps.
 * @param key of what is loaded: another key loads again
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; data: T | null; error: unknown }>({
    key: '',
    data: null,
    error: null,
  })
  const [isLoading, setLoading] = useState(true)
  const [turn, setTurn] = useState(0)
  const latest = useRef(load)
  latest.current = load
  useEffect(() => {
    const abort = new AbortController()
    setLoading(true)
    void latest
      .current(abort.signal)
      .then((data) => ({ key, data, error: null }))
      .catch((error: unknown) => ({ key, data: null, error }))
      .then((next) => {
        if (abort.signal.aborted) return
        setState(next)
        setLoading(false)
      })
    return () => abort.abort()
  }, [key, turn])
  const reload = useCallback(() => setTurn((count) => count + 1), [])
  return { data: state.data, error: state.error, isLoading, reload }
}
