/** What is typed into a form: leaving asks before it is lost, and the faults that the service finds stay beside it. */
import { useState } from 'preact/hooks'
import { ApiError, type Fault } from '../api.ts'
import { useLeaveGuard } from '../router.ts'
import { mayLeaveUnsaved } from './leave.ts'

export interface TypedForm<V> {
  values: V
  change: (values: V) => void
  isBusy: boolean
  /** Whether the values are those that were saved last. */
  isSaved: boolean
  error: unknown
  faults: readonly Fault[]
  /** Of the element: submits the values. */
  send: (event?: Event) => void
  /** Shows other values than those that were typed, and submits them. */
  sendValues: (values: V) => void
  /** Replaces what was typed, for instance by what is stored. */
  reset: (values: V) => void
}

/** Thrown by a submit that has shown itself why nothing was saved: what was typed stays. */
export class NotSaved extends Error {}

/** @param submit may lead to another page, or show the values as they were stored; throws ApiError or NotSaved */
export function useForm<V>(
  initial: V,
  submit: (values: V, show: (stored: V) => void) => Promise<void>,
): TypedForm<V> {
  const [values, setValues] = useState(initial)
  const [state, setState] = useState<'unchanged' | 'changed' | 'saved'>('unchanged')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const allowLeaving = useLeaveGuard(state === 'changed', mayLeaveUnsaved)
  const send = async (sent: V) => {
    setBusy(true)
    setError(null)
    setState('unchanged')
    allowLeaving()
    try {
      await submit(sent, setValues)
      setState('saved')
    } catch (caught) {
      setState('changed')
      if (!(caught instanceof NotSaved)) setError(caught)
    }
    setBusy(false)
  }
  return {
    values,
    isBusy,
    error,
    isSaved: state === 'saved',
    change: (next) => {
      setValues(next)
      setState('changed')
    },
    reset: (next) => {
      setValues(next)
      setState('unchanged')
      setError(null)
      allowLeaving()
    },
    faults: error instanceof ApiError ? error.faults : [],
    send: (event) => {
      event?.preventDefault()
      void send(values)
    },
    sendValues: (next) => {
      setValues(next)
      void send(next)
    },
  }
}
