/** What is typed into a form: leaving asks before it is lost, and the faults that the service finds stay beside it. */
import { useRef, useState } from 'preact/hooks'
import { ApiError, type Fault } from '../api.ts'
import { useLeaveGuard } from '../router.ts'
import { mayLeaveUnsaved, type UnsavedAnswer } from './leave.ts'
import { isSame } from './merge.ts'
import { type Sending, sendingOf } from './sending.ts'

export interface TypedForm<V> {
  values: V
  /** What was saved last, or what the form began with. */
  base: V
  change: (values: V) => void
  isBusy: boolean
  /** Whether a save is on its way after which the form is left: what is typed meanwhile would be lost. */
  isHeld: boolean
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

/** @param submit may lead to another page; throws ApiError or NotSaved */
export function useForm<V extends object>(
  initial: V,
  submit: (values: V, sending: Sending<V>) => Promise<void>,
  keeping?: FormKeeping<V>,
): TypedForm<V> {
  const { base, latest, draw } = useTyped(initial, keeping?.typed)
  const [state, setState] = useState<'unchanged' | 'changed' | 'saved'>(
    keeping?.typed === undefined ? 'unchanged' : 'changed',
  )
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const leave = async () => {
    const answer = await mayLeaveUnsaved(keeping !== undefined)
    if (answer === 'leave') keeping?.forget()
    return isLeft(answer, () => send(latest.current))
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
    const began = base.current
    const sending = sendingOf(sent, { typed: () => latest.current, draw, allowLeaving })
    try {
      await submit(sent, sending)
      const isAll = sending.isAll()
      if (isAll || base.current === began) keeping?.forget()
      else keeping?.keep(latest.current)
      setState(isAll ? 'saved' : 'changed')
      return isAll
    } catch (caught) {
      setState(isSame(latest.current, base.current) ? 'unchanged' : 'changed')
      if (!(caught instanceof NotSaved)) setError(caught)
      return false
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  return {
    values: latest.current,
    base: base.current,
    isBusy,
    isHeld: isBusy,
    error,
    isSaved: state === 'saved',
    isChanged: state === 'changed',
    change: (next) => {
      draw(next)
      const isBack = isSame(next, base.current)
      setState(isBack ? 'unchanged' : 'changed')
      if (isBack) keeping?.forget()
      else keeping?.keep(next)
    },
    reset: (next) => {
      draw(next, next)
      setState('unchanged')
      setError(null)
      keeping?.forget()
      allowLeaving()
    },
    faults: error instanceof ApiError ? error.faults : [],
    send: (event) => {
      event?.preventDefault()
      return send(latest.current)
    },
    sendValues: (next) => {
      draw(next)
      void send(next)
    },
  }
}

/** What is typed, and what was saved last, as they are also between two renderings. */
function useTyped<V>(initial: V, typed: V = initial) {
  const base = useRef(initial)
  const latest = useRef(typed)
  const [, render] = useState({})
  const draw = (values: V, stored = base.current) => {
    latest.current = values
    base.current = stored
    render({})
  }
  return { base, latest, draw }
}

async function isLeft(answer: UnsavedAnswer | null, save: () => Promise<boolean>): Promise<boolean> {
  return answer === 'save' ? save() : answer === 'leave'
}
