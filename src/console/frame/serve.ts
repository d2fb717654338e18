/** Sends the files of frames, and the script, style and font that frames may use. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fileSender } from '../../api/http/static-file.ts'
import { refusal } from '../../core/errors.ts'
import { packageFolder } from '../../database/version.ts'
import type { Frame } from './frame.ts'

/**
 * A frame has an opaque origin, so that it can read neither the storage of the console nor a reply of the service.
 * Its own files are therefore cross-origin. `sandbox` also applies to a page that is opened outside the console.
 */
const frameHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'none'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'sandbox allow-scripts allow-forms',
  ].join('; '),
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** The files that frames may use, at `../panel.js` and `../panel.css`. */
const helpers = new URL('dist/console-panel/', packageFolder)
const helperNames = ['panel.js', 'panel.css', 'inter.woff2'] as const

interface FrameRequest {
  Params: { name: string; '*': string }
}

/** @param readsAnew whether files are read again for each request, so that changes show at once */
export function serveFrames(
  app: FastifyInstance,
  frames: readonly Frame[],
  { readsAnew }: { readsAnew: boolean },
): void {
  if (frames.length === 0) return
  for (const name of helperNames) app.get(`/console/frames/${name}`, senderOf(new URL(name, helpers), false))
  const senders = new Map(
    frames.flatMap(({ name, files }) =>
      [...files].map(([path, file]) => [`${name}/${path}`, senderOf(file, readsAnew)] as const),
    ),
  )
  app.get('/console/frames/:name/*', (request: FastifyRequest<FrameRequest>, reply) => {
    const { name, '*': path } = request.params
    const send = senders.get(`${name}/${path}`)
    if (send === undefined) throw refusal('nothingHere')
    return send(request, reply)
  })
}

type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

function senderOf(file: URL, readsAnew: boolean): Send {
  const kept = fileSender(file, frameHeaders)
  return (request, reply) => {
    reply.removeHeader('x-frame-options') // every other reply forbids frames; `frame-ancestors` allows the console
    const send = readsAnew ? fileSender(file, frameHeaders) : kept
    return send(request, reply)
  }
}
