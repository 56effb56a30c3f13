// Drives the simulator with a client that nobody here wrote, and prints what it answers as one JSON object.
const [, , url, fnr] = process.argv
const svarut = require('@vtfk/svarut')({ username: 'bruker', password: 'passord', url, timeout: 20000 })

const letter = (signed) => ({
  tittel: signed ? 'Avtale' : 'Vedtak',
  eksternReferanse: 'sak-2026-17',
  mottaker: {
    postAdresse: { navn: 'Jonas Vik', adresse1: 'Furuveien 8', postNummer: '7715', postSted: 'Steinkjer', land: 'Norge' },
    digitalAdresse: { fodselsNummer: fnr }
  },
  dokumenter: [{ filnavn: 'Brev.pdf', mimeType: 'application/pdf', data: Buffer.from('%PDF-1.4 brev').toString('base64'), ...(signed ? { skalSigneres: true } : {}) }],
  utskriftsKonfigurasjon: { utskriftMedFarger: false, tosidig: true },
  ...(signed ? { signaturType: 'AUTENTISERT_SIGNATUR', signeringUtloper: Date.now() + 2 * 24 * 3600 * 1000 } : {})
})

async function main () {
  const sent = await svarut.sendForsendelse(letter(false))
  const signed = await svarut.sendForsendelse(letter(true))
  const answers = {
    sent,
    signed,
    status: await svarut.getStatus([sent.id, signed.id]),
    history: await svarut.getForsendelseHistorikk(sent.id),
    signing: await svarut.getSigneringHistorikk(signed.id),
    documents: await svarut.getDokumentMetadata(sent.id),
    types: await svarut.getForsendelseTyper(),
    reference: await svarut.getForsendelseEksternref('sak-2026-17')
  }
  answers.read = (await svarut.setForsendelseLest(sent.id, { lestAvFodselsNummer: fnr, navnPaEksterntSystem: 'Test', datoLest: Date.now() })) ?? null
  answers.after = await svarut.getStatus([sent.id])
  console.log(JSON.stringify(answers))
}

main().catch(problem => { console.error(problem); process.exit(1) })
