// An OpenID provider made by others, so that our relying party is held to the standard rather than to our own reading of
// it. It prints its issuer and ends with its standard input. Clients register themselves; the login page has the fields
// of devidp's, and everybody is fictional.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const people = {
  kari: { name: 'Kari Nordmann', groups: ['oppvekst', 'helse'] },
  ola: { groups: 'oppvekst' },
  tor: { name: 'Tor Haugen' },
  lise: { name: 'Lise Berg', acr: 'idporten-loa-low', groups: ['oppvekst'] },
  mona: {
    name: 'Mona Lie',
    authorization_details: [{ type: 'ansattporten:altinn:service', reportees: [{ ID: '0192:999999999', Name: 'Fjordvik kommune', Rights: ['les'] }] }],
  },
};

const configuration = {
  acrValues: ['idporten-loa-low', 'idporten-loa-substantial', 'idporten-loa-high'],
  claims: { openid: ['sub'], profile: ['name', 'groups', 'authorization_details'], acr: null, sid: null, auth_time: null, iss: null },
  conformIdTokenClaims: false, // claims stand in the id token, as ID-porten and Entra have them
  cookies: { keys: ['only for tests'] },
  features: {
    backchannelLogout: { enabled: true }, // makes it tell sid
    devInteractions: { enabled: false },
    registration: { enabled: true },
  },
  findAccount: (_, id) => people[id] && { accountId: id, claims: () => ({ sub: id, ...people[id] }) },
  async loadExistingGrant(ctx) { // nobody is asked for consent
    const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
    grant.addOIDCScope(ctx.oidc.params.scope);
    await grant.save();
    return grant;
  },
  pkce: { required: () => true },
};

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, configuration);
  const endpoints = provider.callback();
  server.on('request', (req, res) => {
    if (!req.url.startsWith('/interaction/')) return endpoints(req, res);
    const answer = req.method === 'POST' ? choose : ask;
    answer(provider, req, res).catch((error) => res.writeHead(400).end(error.message));
  });
  console.log(issuer);
});
process.stdin.on('end', () => process.exit()).resume();

async function ask(provider, req, res) {
  const { prompt } = await provider.interactionDetails(req, res);
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.end(`<form method="post" action="${req.url}"><input type="hidden" name="pending" value="${prompt.name}"></form>`);
}

async function choose(provider, req, res) {
  let body = '';
  for await (const piece of req) body += piece;
  const form = new URLSearchParams(body);
  const { params } = await provider.interactionDetails(req, res);
  const person = form.get('person');
  const acr = people[person]?.acr ?? params.acr_values?.split(' ')[0];
  const result = person ? { login: { accountId: person, acr } } : { error: 'access_denied' };
  await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
}
