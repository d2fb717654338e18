/**
 * Reports changes of the rows of a list. For an entity with live lists it follows the list; for any other it uses
 * GraphQL subscriptions over one WebSocket (`graphql-transport-ws`).
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { EntityDescription } from '../describe.ts'
import { serviceAddress } from '../service.ts'
import { currentToken } from '../session.ts'
import { followList } from './followed-list.ts'

const reconnectMs = 5000

/**
 * @param filter the filters of the list, by the names of its parameters
 * @param onChange gets the id of a row that was created or changed, whatever the filter; `null` for a change of the
 *   list
 * @returns whether changes are followed now
 */
export function useChanges(
  entity: EntityDescription,
  filter: Readonly<Record<string, string>>,
  onChange: (id: string | null) => void,
): boolean {
  const [isConnected, setConnected] = useState(false)
  const filterKey = JSON.stringify(filter)
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    const follower = { changed: (id: string | null) => latest.current(id), connected: setConnected }
    if (entity.isLive) return followList({ entity: entity.name, filter }, follower)
    if (entity.subscriptions.length === 0) return
    return follow(entity.subscriptions, follower)
  }, [entity, filterKey])
  return isConnected
}

interface Follower {
  changed: (id: string | null) => void
  connected: (isConnected: boolean) => void
}

interface Message {
  type: string
  payload?: { data?: Record<string, { id: string }> | null }
}

/** @returns a function that ends it */
function follow(subscriptions: readonly string[], follower: Follower): () => void {
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let hasEnded = false
  const openAgain = () => {
    follower.connected(false)
    if (!hasEnded) timer = setTimeout(() => void open(), reconnectMs)
  }
  const open = async () => {
    // The session may not be renewable now, for instance while the service is being upgraded.
    const token = await currentToken().catch(openAgain)
    if (hasEnded || !token) return
    socket = openSocket(token, subscriptions, follower)
    socket.onclose = openAgain
  }
  void open()
  return () => {
    hasEnded = true
    clearTimeout(timer)
    socket?.close()
  }
}

function openSocket(
  token: string,
  subscriptions: readonly string[],
  { changed, connected }: Follower,
): WebSocket {
  const socket = new WebSocket(
    `${location.origin.replace(/^http/, 'ws')}${serviceAddress('/graphql')}`,
    'graphql-transport-ws',
  )
  const send = (message: object) => socket.send(JSON.stringify(message))
  socket.onopen = () => send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })
  socket.onmessage = ({ data }) => {
    const { type, payload } = JSON.parse(String(data)) as Message // the form that the protocol defines
    if (type === 'ping') send({ type: 'pong' })
    if (type === 'next') for (const row of Object.values(payload?.data ?? {})) changed(row.id)
    if (type !== 'connection_ack') return
    for (const name of subscriptions) send(subscribeTo(name))
    connected(true)
  }
  return socket
}

function subscribeTo(name: string): object {
  return { type: 'subscribe', id: name, payload: { query: `subscription { ${name} { id } }` } }
}
