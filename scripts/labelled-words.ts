/**
 * The words of scripts/make-labelled-set.ts, from common knowledge. None is taken from the judge's
 * rules.
 */
const list = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

export const trades =
  list(`plumbing roofing joinery bakery motors garage builders carpets flowers florist physio dental
  optics legal law solicitors lettings homes estates kitchens bathrooms windows glazing fencing paving gardens landscapes trees
  nurseries farm farms dairy butchers brewery wines cheese coffee tearooms catering events weddings photography films prints signs
  design web computers software systems security electrical heating gas drains skips removals storage couriers taxis coaches
  travel cottages caravans boats cycles fitness yoga pilates dance music books toys crafts pottery antiques jewellery furniture
  beds interiors decorators cleaning laundry ironing pets vets kennels equestrian golf tennis`);
export const places =
  list(`aberdeen alnwick ashford barnsley bath bedale berwick bolton brighton bury buxton chester conwy corby crewe
  derby devon dorset dover dundee durham ely epsom exeter falkirk frome hexham hull ilkley kent kendal kirkby lanark lincoln ludlow
  malvern margate neath newark norwich oban otley oxford perth poole ripon rugby rye settle skye soham stirling stroud suffolk
  swindon thirsk torbay truro wakefield walsall wells whitby wigan wirral woking yarm yeovil`);
export const shops = list('shop house co works studio group centre barn hub rooms lane mill');

export const globals =
  list(`gmail.com gmail.com gmail.com gmail.com hotmail.com outlook.com yahoo.com icloud.com live.com aol.com
  proton.me msn.com me.com googlemail.com gmx.com ymail.com mac.com protonmail.com`);
/** Providers that take short and odd names. */
export const roomy =
  list(`hotmail.com outlook.com yahoo.com yahoo.co.uk hotmail.co.uk icloud.com live.co.uk btinternet.com sky.com aol.com
  virginmedia.com talktalk.net`);
export const ukMailboxes =
  list(`yahoo.co.uk hotmail.co.uk live.co.uk aol.co.uk blueyonder.co.uk tiscali.co.uk btinternet.co.uk
  freeserve.co.uk fsnet.co.uk orange.co.uk wanadoo.co.uk onetel.co.uk zen.co.uk eclipse.co.uk lineone.co.uk homecall.co.uk
  worldonline.co.uk ukonline.co.uk gmx.co.uk karoo.co.uk`);
export const ukOthers =
  list(`btinternet.com sky.com virginmedia.com talktalk.net ntlworld.com btopenworld.com virgin.net talk21.com
  lineone.net plusnet.com plus.com waitrose.com supanet.com uwclub.net madasafish.com fsmail.net vodafone.net tesco.net
  orange.net freeuk.com f2s.com u-net.com breathe.com beeb.net care4free.net idnet.com phonecoop.coop merseymail.com`);
export const foreigners =
  list(`yahoo.ie yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.in hotmail.fr hotmail.de hotmail.it hotmail.es live.ie live.fr
  live.nl outlook.ie outlook.fr outlook.de gmx.de gmx.at web.de t-online.de orange.fr free.fr laposte.net libero.it eircom.net
  wp.pl o2.pl onet.pl interia.pl telenet.be ziggo.nl xs4all.nl bigpond.com xtra.co.nz comcast.net verizon.net mail.ru yandex.ru
  seznam.cz abv.bg qq.com 163.com naver.com rediffmail.com`);
export const handles =
  list(`moonchild99 bluebird72 gunnersfan leedsunited1919 spursmad hammers4ever toonarmy villafan saintsfc crazycatlady
  dogwalker1 gardengnome teapot55 cupcakequeen wildswimmer hillwalker fellrunner bikerboy vwcamper minimad landrover90 steamtrain
  trainspotter birdwatcher beekeeper knitwit quiltingbee bookworm crosswords sudokufan scrabbler poetrylover thebluebell rosecottage
  oaktreehouse hillviewfarm seaspray lighthouse9 harbourmaster skipper44 oldseadog sailorjim drumsandbass guitarman djfresh mcgroovy
  theboss bigdave littlejen auntiejean grannysmith nanabetty grandadken mumofthree dadoftwo thefamily4 wearethejones team.smith
  flyingscot rugbyboy cricketmad darts180 snookerloopy pubquiz realale cidermaker chippy66 sparky240v plumberbob brickie mrfixit
  vanman handyandy cleaningqueen nailsbyjo hairbylucy lashesbykim tattoobaz pixiedust glitterball starlight unicorn7 rainbowsend
  strawberryfields penny.lane northernsoul motownman vinyljunkie punknotdead metalhead80 gothgirl indiekid raver92 ukgarage
  rhythmnblues psychedelic xylophonist sphinx lynxkitten jynx myrrh cwtch cwtches hwyl crwth pwllheli llandudno ynysmon
  bthwrldfan nhsworker mrsmrs mrmen tv.addict kl7jh ph0t0 jpg.man pdfman html5dev cssninja sqlguy gdprguru vatman hgvdriver psvdriver`);

export const councils =
  list(`cornwall.gov.uk devon.gov.uk bristol.gov.uk manchester.gov.uk sheffield.gov.uk newcastle.gov.uk york.gov.uk
  eastriding.gov.uk durham.gov.uk kent.gov.uk surreycc.gov.uk essex.gov.uk norfolk.gov.uk suffolk.gov.uk lambeth.gov.uk
  southwark.gov.uk camden.gov.uk hackney.gov.uk barnet.gov.uk croydon.gov.uk glasgow.gov.uk edinburgh.gov.uk fife.gov.uk
  swansea.gov.uk gwynedd.gov.uk powys.gov.uk lisburncastlereagh.gov.uk cabinetoffice.gov.uk education.gov.uk justice.gov.uk
  defra.gov.uk environment-agency.gov.uk dvla.gov.uk companieshouse.gov.uk ons.gov.uk metoffice.gov.uk gov.scot gov.wales
  parliament.uk senedd.wales wiltshire.gov.uk dorsetcouncil.gov.uk rotherham.gov.uk`);
export const academics =
  list(`ed.ac.uk gla.ac.uk abdn.ac.uk dundee.ac.uk strath.ac.uk hw.ac.uk bath.ac.uk bristol.ac.uk exeter.ac.uk
  plymouth.ac.uk soton.ac.uk surrey.ac.uk sussex.ac.uk kent.ac.uk essex.ac.uk uea.ac.uk warwick.ac.uk bham.ac.uk
  nottingham.ac.uk sheffield.ac.uk york.ac.uk hull.ac.uk dur.ac.uk ncl.ac.uk lancaster.ac.uk liverpool.ac.uk bangor.ac.uk
  cardiff.ac.uk swansea.ac.uk qub.ac.uk ulster.ac.uk open.ac.uk lse.ac.uk imperial.ac.uk stpeters.surrey.sch.uk
  hillside.derbyshire.sch.uk oakfield.lancs.sch.uk the-grange.durham.sch.uk`);
export const forces =
  list(`avonandsomerset.police.uk bedfordshire.police.uk cambs.police.uk cheshire.police.uk
  cleveland.police.uk cumbria.police.uk derbyshire.police.uk devonandcornwall.police.uk dorset.police.uk durham.police.uk
  essex.police.uk gloucestershire.police.uk humberside.police.uk kent.police.uk lancashire.police.uk merseyside.police.uk
  norfolk.police.uk northumbria.police.uk suffolk.police.uk surrey.police.uk sussex.police.uk cityoflondon.police.uk`);
export const health =
  list(`nhs.net nhs.net hscni.net hscni.net nhs.scot wales.nhs.uk nhsbt.nhs.uk ouh.nhs.uk cuh.nhs.uk
  bartshealth.nhs.uk northerntrust.hscni.net southerntrust.hscni.net belfasttrust.hscni.net westerntrust.hscni.net
  uhs.nhs.uk sth.nhs.uk ggc.scot.nhs.uk nhs24.scot.nhs.uk`);
/** Real domains one slip from a provider or from its ending, of public record. */
export const realNeighbours =
  list(`sky.uk sky.uk mail.com gail.com ymail.com cloud.com talktalk.co.uk btopenworld.com sky.de virgin.com
  live.net hush.com airmail.net bt.com ntl.com proton.ch pocketmail.com hotels.com aon.com post.com`);
export const slipTargets =
  list(`gmail.com gmail.com gmail.com hotmail.com hotmail.com hotmail.co.uk hotmail.co.uk yahoo.com yahoo.co.uk outlook.com
  outlook.com icloud.com btinternet.com btinternet.com virginmedia.com talktalk.net ntlworld.com blueyonder.co.uk googlemail.com
  tiscali.co.uk protonmail.com`);
export const longSlipTargets =
  list(`hotmail.com hotmail.co.uk outlook.com btinternet.com virginmedia.com googlemail.com blueyonder.co.uk
  btopenworld.com protonmail.com`);
/** Providers that are nearly always written with this ending. */
export const oneEnding =
  list(`gmail.com gmail.com gmail.com outlook.com icloud.com btinternet.com virginmedia.com talktalk.net ntlworld.com
  googlemail.com blueyonder.co.uk protonmail.com rocketmail.com btopenworld.com btconnect.com`);
export const secondLevelSlips: [wrong: string, right: string][] =
  list(`ci:co cp:co cl:co ck:co vo:co xo:co fo:co cco:co coo:co oc:co com:co
  con:co or:org og:org ogr:org rog:org orgg:org oorg:org orrg:org prg:org irg:org orh:org orf:org ogrg:org gv:gov ogv:gov gvo:gov
  govv:gov giv:gov gpv:gov nsh:nhs nhss:nhs hns:nhs nhd:nhs acc:ac aac:ac polce:police poilce:police shc:sch scch:sch`).map(
    (pair) => pair.split(':') as [string, string],
  );
export const mashUnits =
  list(`asd qwe zxc jkl fgh dfg sdf hjk bnm vbn cvb ghj uio kjh lkj dsa fds gfd hgf mnb nbv asdf qwer zxcv jklj fghj sdfg dfgh
  dfd fdf jkj hjh ghg sds kjk xcx vcv df jk gh sd fg hj kl xc vb nm fj dk sl gj hg kj`);
/** Typed with closed eyes, not made by a program. */
export const typedMash =
  list(`sdkfjhsdkf kjhsdfkjh lkjsdflkj sdlfkjsdf jhgfjhgf dfkjghdfkg skdjfhskdj wkejrhwkej fjdksla fjdkslajf dkfjdkfj
  sldkfjsl aslkdjf alskdjfh qwoeiru qpwoeiruty zmxncbv zmxncbvz mznxbcv ghdjskal ghfjdksla tyrueiwo bvncmx hfjdkslz jfkdlsa
  sdfghjk dfghjkl dsfsdfsd dsfdsfds sdfsdfgs fgdfgdfg gfhgfhgf hgfhgfh jhkjhkj kjhkjhk ghjghjg fghfghf rtyrtyrt ertertert
  wqeqwewq qwewqeqw sadasdas asdsadas asdasdfas asdfasdfa asdfsadf sdafsadf dasdasda fdsafdsa fdsfdsfd gdfgdfgd hdfhdfhd
  jkhkjhkh jkljkljk kljkljkl lkjlkjlk mnbmnbmn bnmbnmbn vbnvbnvb cvbcvbcv xcvxcvxc zxczxczx zxcvzxcv xzcxzcxz
  dhfgdhfg dhgfhdgf gdhfgdhf hfgdhfgd jdhfjdhf kdjfkdjf ldkfldkf sjdhsjdh wjehwjeh yuiyuiyu uioiuoiu ioiuoiuo opiopiop
  fdgdfgfd fdghfgdh gfdhgfdh sfdgsfdg sdfgsdfg sgfdsgfd rtgfdrtg tyghtygh yhgtyhgt ujmnujmn ikmjikmj qazwsxedc wsxedcrfv
  edcrfvtgb rfvtgbyhn tgbyhnujm qazxswedc plmoknijb okmijnuhb zaqxswcde mkonjibhu xdrcftvgy hjklhjkl jklhjklh bgtvfrcde
  lksdjflksd lkjdsflkj sdkjfhs ksdjfhksjd jsdhfkjsdh skjdhfkjs wieurywie oiewuroiew woieruwoi xcmvnxcm xmcnvbxm nbvcxzasd
  poiuytrew lkjhgfds mnbvcxza ytrewqas hgfdsapo kjhgfdsa jhgfdsaq uytrewqz gfdsapoi dsapoiuy trewqlkj
  aksjdhaksj askjdhask asjkdhasjk ajksdhakjs akjsdhakjsd ahsdjkahs hasjkdhas jashdjash kasjdkasj laksjdlak
  dfjkgdfjkg dfgjkdfgjk fjgkfjgk fkgjfkgj gkdjfgkd hgkdfjhg jkdfghjkd kdfjgkdf ldfkgldf rtjkghrt sdjfksdj sdkfjsld
  vnmcxvn vmcxnvmx wrtwrtwr wetwetwe etretret tretretr hjghjghj hkjhkjhk bvcbvcbv bnvbnvbn nmnmbnmn vcxvcxvc xzxzxczx`);
export const posts =
  list(`all staff everyone everybody allstaff all.staff parts facilities servicing servicedept partsdept workshopmanager bodyshop
  maintenance housekeeping groundstaff caretaker premises estates siteoffice sitemanager goodsin goods.in stock stockroom
  dispatchteam packing rma aftersales after-sales customer.relations newbusiness new.business applications.team duty.manager
  dutymanager nightporter concierge bar.manager headchef chefs kitchenteam gym leisure leisurecentre poolside swimming classes
  memberships renewals subscriptions sponsorship sponsors grants giving legacies appeals campaigns outreach community youthwork
  playgroup preschool breakfastclub afterschool parents governors.clerk examsoffice finance.office financeoffice payrolldept
  purchaseorders purchase.orders suppliers supplierinvoices ap.invoices accountspayable accounts.receivable credit.controller
  treasury audit tax vat pensions benefits wellbeing occupationalhealth healthandsafety health.safety hse firesafety
  talent hrteam hr.team people people.team careersadvice workexperience apprenticeships learning learninganddevelopment
  itdesk it.support servicedesk service.desk ithelp infrastructure systems developers devteam sysadmins
  marketing.team pressoffice press-office mediaenquiries media.enquiries pressenquiries prteam brand content copy
  weddings functions.team groupbookings groups tours guides visits visitorcentre ticketoffice boxoffice.manager
  salesteam sales.office salesoffice exportsales tradesales trade.counter telesales fieldsales sales.ledger salesadmin
  contracts contract commercial bids bid.team tender procurementteam planningdept planning.team buildingcontrol licensing
  parking highways streetscene wastecollections recycling environmentalhealth councillorsupport mayor mayorsoffice leader`);
export const reserved =
  list(`4.3.2.1.in-addr.arpa router.home.arpa ip6.arpa e164.arpa mail.in-addr.arpa shop.test mail.test acme.invalid
  printer.local nas.local host.internal db.internal acme.example site.onion localhost x.localhost pc.home.arpa
  as112.arpa uri.arpa iris.arpa server.alt`);
export const notes =
  list(`home work office mobile personal private wife husband Mum Dad main old new primary business school secretary
  Leeds London preferred alternate`).concat([
    'Jo Smith',
    'home address',
    'work only',
    'not Fridays',
    'her own',
    'new 2024',
  ]);
