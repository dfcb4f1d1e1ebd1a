const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Before a name. With one word after it, that word is the last name: "Dr Smith". */
export const titlesBeforeLastName = words('mr mrs ms miss mx dr doctor prof professor cllr councillor');

/** Before a name. With one word after it, custom decides which name that is: "Sir Keir". */
export const otherTitles = words(
  'sir dame lord lady baroness rev revd reverend father sister capt captain sgt lt col rt hon',
);

/** After a name, however it is written. */
export const suffixes = words('jr jnr sr snr esq phd dphil mbe obe cbe kbe dbe frs frcs frcp mrcgp msc bsc');

/** After a name, but only in capitals: in other letters they are names. */
export const suffixesInCapitals = words(
  'II III IV MA BA MD MP MEP MSP JP KC QC RN DL FCA ACA ACCA FRICS MRICS DBA MBA CEng',
);

/** The beginning of a last name of several words: "van der Berg". */
export const particles = words(
  `van von vom zu zum zur der den de del della dela dello degli di da das do dos du des la le les lo
   el al ul ibn bin binti binte ter ten te st mc mac o ap ab ferch`,
);

/** Particles that are first names too. At the beginning of a name they are taken for those. */
export const particlesAsFirstNames = words('al mac ab');

/**
 * Second given names that hardly anybody has for a last name. Before a last name they belong to the
 * given names, so "Sarah Jane Smith" is Sarah, Smith. Not "Helena Bonham Carter".
 */
export const middleNames = words(
  `alexandra alice amelia ann anna anne annie beatrice caroline catherine charlotte claire clare
   daisy diana edith eleanor elisabeth elizabeth ellen emily emma florence frances georgina helen
   ingrid isabel isabella isobel jane jayne jean jennifer jessica joanna joanne josephine julia kate
   katharine katherine kathleen kathryn laura leanne lesley lilian lily linda louisa louise lucy
   margaret maria marie mary matilda maureen nicola olivia patricia pauline penelope philippa rachel
   rebecca sarah sheila sophia sophie susan suzanne teresa theresa veronica victoria violet virginia
   vivienne yvonne zoe`,
);

/** Family names that come first, in the order of their languages: "Nguyen Van An". */
export const leadingFamilyNames = words(
  'nguyen tran pham huynh hoang zhang wang wong zhao zhou huang zheng chen chan liu xu',
);

/** Text with one of these words is not a person's name. */
export const notOfPersons = words(
  `and of the for in at to by with from or und
   ltd limited plc llp inc incorporated llc lp cic gmbh bv nv co corp corporation company
   group holdings partners partnership associates consulting consultants consultancy solutions
   services service systems technologies technology software digital media marketing design designs
   studio studios productions agency recruitment logistics transport haulage engineering electrical
   plumbing heating builders building construction roofing joinery motors garage autos cars taxis
   properties property estates lettings homes housing hotel hotels inn restaurant cafe coffee bakery
   foods catering events travel tours holidays insurance finance financial accountancy accountants
   accounting solicitors legal surgery clinic practice dental dentists pharmacy
   veterinary vets hospital hospice nhs council borough county authority government
   ministry department dept school academy college university nursery preschool trust foundation
   charity society association club institute union federation committee fund museum library theatre
   gallery ministries fellowship gym fitness salon hair beauty nails florist flowers gardens farm
   farms shop store stores supplies wholesale trading traders imports exports international global
   uk gb england scotland british
   team office reception accounts account sales support info information enquiries enquiry bookings
   booking admin administrator administration hr customer customers client clients contact contacts
   manager director secretary treasurer chairman chair headteacher owner member user
   staff everyone unknown none nobody anonymous test tester testing demo sample example null
   undefined na tbc tba deceased newsletter webmaster postmaster marketing payable receivable`,
);

/** All of the above that make a name other than a first and a last one. */
export const specialWords: ReadonlySet<string> = new Set(
  [
    ...titlesBeforeLastName,
    ...otherTitles,
    ...suffixes,
    ...suffixesInCapitals,
    ...particles,
    ...leadingFamilyNames,
    ...notOfPersons,
  ].map((word) => word.toLowerCase()),
);
