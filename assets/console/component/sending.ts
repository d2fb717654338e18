/** What was sent of a form, while somebody may go on typing in it. */
import { changedMembers, isSame, withMembers } from './merge.ts'

export interface Sending<V> {
  /** Shows the values as they are stored, with what was typed since they were sent. */
  show: (values: V, base?: V) => void
  /** Whether nothing was typed since: then the form may be left. */
  isAll: () => boolean
  /** What the form has now, with which another form goes on: this one may be left. */
  handOver: () => V
}

interface Sender<V> {
  /** What the form has now. */
  typed: () => V
  draw: (values: V, base: V) => void
  allowLeaving: () => void
}

export function sendingOf<V extends object>(sent: V, { typed, draw, allowLeaving }: Sender<V>): Sending<V> {
  let shown = sent
  return {
    show: (values, base = values) => {
      const since = Object.keys(changedMembers(shown, typed()))
      draw(withMembers(values, typed(), since), base)
      shown = values
    },
    isAll: () => {
      const isAll = isSame(typed(), shown)
      if (isAll) allowLeaving()
      return isAll
    },
    handOver: () => {
      allowLeaving()
      return typed()
    },
  }
}
