/** Loads the data of a view, which is loading, loaded, or failed. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from './api.ts'
import { onReturn } from './connection.ts'

export interface Loaded<T> {
  data: T | null
  error: unknown
  isLoading: boolean
  reload: () => void
}

/**
 * Loads data. Earlier data stays until the new data has arrived, so that nothing jumps. If the service cannot be
 * reached, earlier data stays as well, and is loaded again when the service can be reached.
 * @param key names the data: another key loads again
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; data: T | null; error: unknown }>({
    key: '',
    data: null,
    error: null,
  })
  const [isLoading, setLoading] = useState(true)
  const [turn, setTurn] = useState(0)
  const isLost = useRef(false)
  const latest = useRef(load)
  latest.current = load
  const shown = useRef(state)
  shown.current = state
  useEffect(() => {
    const abort = new AbortController()
    setLoading(true)
    void latest
      .current(abort.signal)
      .then((data) => ({ key, data, error: null }))
      .catch((error: unknown) => ({ key, data: null, error }))
      .then((next) => {
        if (abort.signal.aborted) return
        const isKept = isWithoutReply(next.error) && shown.current.key === key && shown.current.data !== null
        isLost.current = isWithoutReply(next.error)
        if (!isKept) setState(next)
        setLoading(false)
      })
    return () => abort.abort()
  }, [key, turn])
  const reload = useCallback(() => setTurn((count) => count + 1), [])
  // From the beginning: the reply to another request may come before this component is drawn again.
  // From the beginning: the reply to another request may come before the failure is drawn.
  useEffect(() => onReturn(() => isLost.current && reload()), [])
  return { data: state.data, error: state.error, isLoading, reload }
}

function isWithoutReply(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0
}
