/** A menu to copy the requests of the page, as `curl` or as code. The token is a variable, and is not copied. */
import { keyOf, type PageRequest, usePageRequests } from '../page-requests.ts'
import { serviceAddress } from '../service.ts'
import { text } from '../text/text.ts'
import { Menu } from './menu.tsx'
import { CopyButton } from './secret.tsx'

export function CopyRequests() {
  const requests = usePageRequests()
  if (requests.length === 0) return null
  return (
    <Menu label={text.action.copyRequests}>
      {requests.map((each) => (
        <fieldset key={keyOf(each)} class="copied">
          <legend>
            <code>{keyOf(each)}</code>
          </legend>
          <CopyRequest {...each} />
        </fieldset>
      ))}
    </Menu>
  )
}

function CopyRequest({ method, path, body }: PageRequest) {
  const address = new URL(serviceAddress(path), location.origin).href.replaceAll("'", '%27')
  const json = body === undefined ? null : JSON.stringify(body)
  const sent =
    json === null ? '' : ` -H 'Content-Type: application/json' -d '${json.replaceAll("'", "'\\''")}'`
  const verb = method === 'GET' ? '' : `-X ${method} `
  const type = json === null ? '' : `, 'content-type': 'application/json'`
  const init = `${method === 'GET' ? '' : `  method: '${method}',\n`}${json === null ? '' : `  body: JSON.stringify(${json}),\n`}`
  return (
    <>
      <CopyButton
        label={text.action.copyCurl}
        value={`curl ${verb}-H "Authorization: Bearer $TOKEN"${sent} '${address}'`}
      />
      <CopyButton
        label={text.action.copyCode}
        value={`const reply = await fetch(${JSON.stringify(address)}, {\n${init}  headers: { authorization: \`Bearer \${token}\`${type} },\n})\nconst data = await reply.json()`}
      />
    </>
  )
}
