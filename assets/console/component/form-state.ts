/** What is typed into a form: leaving asks before it is lost, and the faults that the service finds stay beside it. */
import { useState } from 'preact/hooks'
import { ApiError, type Fault } from '../api.ts'
import { useLeaveGuard } from '../router.ts'
import { text } from '../text/text.ts'

export interface TypedForm<V> {
  values: V
  change: (values: V) => void
  isBusy: boolean
  error: unknown
  faults: readonly Fault[]
  /** Of the element: submits the values. */
  send: (event: Event) => void
}

/** @param submit may lead to another page @throws ApiError */
export function useForm<V>(initial: V, submit: (values: V) => Promise<void>): TypedForm<V> {
  const [values, setValues] = useState(initial)
  const [isDirty, setDirty] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const allowLeaving = useLeaveGuard(isDirty, text.state.leave)
  const change = (next: V) => {
    setValues(next)
    setDirty(true)
  }
  const send = async () => {
    setBusy(true)
    setError(null)
    setDirty(false)
    allowLeaving()
    try {
      await submit(values)
    } catch (caught) {
      setDirty(true)
      setError(caught)
    }
    setBusy(false)
  }
  return {
    ...{ values, change, isBusy, error },
    faults: error instanceof ApiError ? error.faults : [],
    send: (event) => {
      event.preventDefault()
      void send()
    },
  }
}
