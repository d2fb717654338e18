/** Copies what the page has asked for, as a command or as code. The token is a variable: it is not copied. */
import { usePageRequests } from '../page-requests.ts'
import { serviceAddress } from '../service.ts'
import { text } from '../text/text.ts'
import { Menu } from './menu.tsx'
import { CopyButton } from './secret.tsx'

export function CopyRequests() {
  const paths = usePageRequests()
  if (paths.length === 0) return null
  return (
    <Menu label={text.action.copyRequests}>
      {paths.map((path) => (
        <fieldset key={path} class="copied">
          <legend>
            <code>{`GET ${path}`}</code>
          </legend>
          <CopyRequest path={path} />
        </fieldset>
      ))}
    </Menu>
  )
}

function CopyRequest({ path }: { path: string }) {
  const address = new URL(serviceAddress(path), location.origin).href
  return (
    <>
      <CopyButton
        label={text.action.copyCurl}
        value={`curl -H "Authorization: Bearer $TOKEN" '${address.replaceAll("'", '%27')}'`}
      />
      <CopyButton
        label={text.action.copyCode}
        value={`const reply = await fetch(${JSON.stringify(address)}, {\n  headers: { authorization: \`Bearer \${token}\` },\n})\nconst data = await reply.json()`}
      />
    </>
  )
}
