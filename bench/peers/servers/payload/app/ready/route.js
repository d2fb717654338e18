/** Says that the server listens. */
export const dynamic = 'force-dynamic'

export function GET() {
  return new Response('ready')
}
