/** What is typed into a form: leaving asks before it is lost, and the faults that the service finds stay beside it. */
import { useRef, useState } from 'preact/hooks'
import { ApiError, type Fault } from '../api.ts'
import { useLeaveGuard } from '../router.ts'
import { mayLeaveUnsaved, type UnsavedAnswer } from './leave.ts'
import { isSame } from './merge.ts'

export interface TypedForm<V> {
  values: V
  /** What was saved last, or what the form began with. */
  base: V
  change: (values: V) => void
  isBusy: boolean
  /** Whether the values are those that were saved last. */
  isSaved: boolean
  /** Whether the values are others than those that were saved last. */
  isChanged: boolean
  error: unknown
  faults: readonly Fault[]
  /** Submits the values, as a handler of the element. @returns whether they were saved */
  send: (event?: Event) => Promise<boolean>
  /** Shows other values than those that were typed, and submits them. */
  sendValues: (values: V) => void
  /** Replaces what was typed, for instance by what is stored. */
  reset: (values: V) => void
}

/** Thrown by a submit that has shown itself why nothing was saved: what was typed stays. */
export class NotSaved extends Error {}

/** What else happens to what is typed. */
export interface FormKeeping<V> {
  /** Typed before, and not saved. */
  typed?: V | undefined
  keep: (values: V) => void
  forget: () => void
}

/** @param submit may lead to another page, or show the values as they were stored; throws ApiError or NotSaved */
export function useForm<V>(
  initial: V,
  submit: (values: V, show: (values: V, base?: V) => void) => Promise<void>,
  keeping?: FormKeeping<V>,
): TypedForm<V> {
  const [base, setBase] = useState(initial)
  const [values, setValues] = useState(keeping?.typed ?? initial)
  const [state, setState] = useState<'unchanged' | 'changed' | 'saved'>(
    keeping?.typed === undefined ? 'unchanged' : 'changed',
  )
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const settle = (shown: V, stored: V = shown) => {
    setBase(stored)
    setValues(shown)
  }
  const leave = async () => {
    const answer = await mayLeaveUnsaved(keeping !== undefined)
    if (answer === 'leave') keeping?.forget()
    return isLeft(answer, () => send(values))
  }
  const allowLeaving = useLeaveGuard(state === 'changed', leave)
  const isSending = useRef(false)
  const send = async (sent: V): Promise<boolean> => {
    if (isSending.current) return false // a second press would make a second row
    isSending.current = true
    setBusy(true)
    setError(null)
    setState('unchanged')
    allowLeaving()
    try {
      await submit(sent, settle)
      keeping?.forget()
      setState('saved')
      return true
    } catch (caught) {
      setState(isSame(sent, base) ? 'unchanged' : 'changed')
      if (!(caught instanceof NotSaved)) setError(caught)
      return false
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  return {
    values,
    base,
    isBusy,
    error,
    isSaved: state === 'saved',
    isChanged: state === 'changed',
    change: (next) => {
      setValues(next)
      const isBack = isSame(next, base)
      setState(isBack ? 'unchanged' : 'changed')
      if (isBack) keeping?.forget()
      else keeping?.keep(next)
    },
    reset: (next) => {
      settle(next)
      setState('unchanged')
      setError(null)
      keeping?.forget()
      allowLeaving()
    },
    faults: error instanceof ApiError ? error.faults : [],
    send: (event) => {
      event?.preventDefault()
      return send(values)
    },
    sendValues: (next) => {
      setValues(next)
      void send(next)
    },
  }
}

async function isLeft(answer: UnsavedAnswer | null, save: () => Promise<boolean>): Promise<boolean> {
  return answer === 'save' ? save() : answer === 'leave'
}
