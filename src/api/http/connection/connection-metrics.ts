import { gauge, type Metric, type Sample } from '../../../core/metric.ts'

export interface ConnectionFigures {
  connections: { readonly open: number; readonly max: number }
  webSockets: { readonly open: number }
  eventStreams: { readonly open: number }
  /** Refusals and cuts by the exceeded limit. */
  limitMonitor: { samples(): Sample[] }
  buffers: { readonly bytes: number; readonly maxBytes: number }
}

export function connectionMetrics(figures: ConnectionFigures): Metric[] {
  const { connections, webSockets, eventStreams, limitMonitor, buffers } = figures
  return [
    {
      name: 'client_connections',
      help: 'Client connections by kind: websocket, event_stream, and plain for all others.',
      kind: 'gauge',
      labels: ['kind'],
      read: () => [
        { labels: { kind: 'plain' }, value: connections.open - webSockets.open - eventStreams.open },
        { labels: { kind: 'websocket' }, value: webSockets.open },
        { labels: { kind: 'event_stream' }, value: eventStreams.open },
      ],
    },
    gauge('client_connections_max', 'The maximum number of client connections.', () => connections.max),
    {
      name: 'client_limits_exceeded_total',
      help: 'Connections, requests, replies and subscriptions that were refused or cut, by limit.',
      kind: 'counter',
      labels: ['reason'],
      read: () => limitMonitor.samples(),
    },
    gauge(
      'client_buffered_bytes',
      'Bytes buffered for clients of WebSockets and subscriptions, and of their partial messages.',
      () => buffers.bytes,
    ),
    gauge('client_buffered_max_bytes', 'The maximum of client_buffered_bytes.', () => buffers.maxBytes),
  ]
}
