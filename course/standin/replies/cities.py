"""City names in three languages, so that a city asked for in one can be named in another."""

import re

# English name, what Americans or others add to it, German name if it differs, Chinese name.
TABLE = """
Austin|TX||奥斯汀
Berlin|Germany||柏林
Chengdu|China||成都
Oslo|Norway||奥斯陆
Vienna|Austria|Wien|维也纳
Munich|Germany|München|慕尼黑
Hamburg|Germany||汉堡
Cologne|Germany|Köln|科隆
Frankfurt|Germany||法兰克福
Stuttgart|Germany||斯图加特
Leipzig|Germany||莱比锡
Dresden|Germany||德累斯顿
Nuremberg|Germany|Nürnberg|纽伦堡
Hanover|Germany|Hannover|汉诺威
Düsseldorf|Germany||杜塞尔多夫
Bremen|Germany||不来梅
Zurich|Switzerland|Zürich|苏黎世
Geneva|Switzerland|Genf|日内瓦
Basel|Switzerland||巴塞尔
Bern|Switzerland||伯尔尼
Graz|Austria||格拉茨
Salzburg|Austria||萨尔茨堡
Innsbruck|Austria||因斯布鲁克
Linz|Austria||林茨
Paris|France||巴黎
Lyon|France||里昂
Marseille|France||马赛
Nice|France|Nizza|尼斯
London|UK||伦敦
Manchester|UK||曼彻斯特
Edinburgh|UK||爱丁堡
Dublin|Ireland||都柏林
Madrid|Spain||马德里
Barcelona|Spain||巴塞罗那
Lisbon|Portugal|Lissabon|里斯本
Rome|Italy|Rom|罗马
Milan|Italy|Mailand|米兰
Venice|Italy|Venedig|威尼斯
Florence|Italy|Florenz|佛罗伦萨
Naples|Italy|Neapel|那不勒斯
Athens|Greece|Athen|雅典
Istanbul|Turkey||伊斯坦布尔
Prague|Czech Republic|Prag|布拉格
Warsaw|Poland|Warschau|华沙
Budapest|Hungary||布达佩斯
Bucharest|Romania|Bukarest|布加勒斯特
Amsterdam|Netherlands||阿姆斯特丹
Brussels|Belgium|Brüssel|布鲁塞尔
Copenhagen|Denmark|Kopenhagen|哥本哈根
Stockholm|Sweden||斯德哥尔摩
Helsinki|Finland||赫尔辛基
Reykjavik|Iceland|Reykjavík|雷克雅未克
Moscow|Russia|Moskau|莫斯科
Kyiv|Ukraine|Kiew|基辅
Cairo|Egypt|Kairo|开罗
Cape Town|South Africa|Kapstadt|开普敦
Nairobi|Kenya||内罗毕
Lagos|Nigeria||拉各斯
Dubai|UAE||迪拜
Tel Aviv|Israel||特拉维夫
Mumbai|India||孟买
Delhi|India||德里
New Delhi|India|Neu-Delhi|新德里
Bangalore|India||班加罗尔
Bangkok|Thailand||曼谷
Singapore|Singapore|Singapur|新加坡
Hanoi|Vietnam||河内
Jakarta|Indonesia||雅加达
Manila|Philippines||马尼拉
Seoul|South Korea||首尔
Tokyo|Japan|Tokio|东京
Osaka|Japan||大阪
Kyoto|Japan||京都
Sydney|Australia||悉尼
Melbourne|Australia||墨尔本
Auckland|New Zealand||奥克兰
Beijing|China|Peking|北京
Shanghai|China||上海
Guangzhou|China||广州
Shenzhen|China||深圳
Hangzhou|China||杭州
Nanjing|China||南京
Suzhou|China||苏州
Wuhan|China||武汉
Xi'an|China||西安
Chongqing|China||重庆
Tianjin|China||天津
Harbin|China||哈尔滨
Shenyang|China||沈阳
Dalian|China||大连
Qingdao|China||青岛
Jinan|China||济南
Zhengzhou|China||郑州
Changsha|China||长沙
Kunming|China||昆明
Guiyang|China||贵阳
Nanning|China||南宁
Fuzhou|China||福州
Xiamen|China||厦门
Hefei|China||合肥
Nanchang|China||南昌
Taiyuan|China||太原
Lanzhou|China||兰州
Urumqi|China||乌鲁木齐
Lhasa|China||拉萨
Sanya|China||三亚
Hong Kong|China|Hongkong|香港
Macau|China||澳门
Taipei|Taiwan|Taipeh|台北
New York|NY||纽约
San Francisco|CA||旧金山
Los Angeles|CA||洛杉矶
San Diego|CA||圣地亚哥
San Jose|CA||圣何塞
Seattle|WA||西雅图
Portland|OR||波特兰
Chicago|IL||芝加哥
Boston|MA||波士顿
Washington|DC||华盛顿
Philadelphia|PA||费城
Miami|FL||迈阿密
Orlando|FL||奥兰多
Atlanta|GA||亚特兰大
Dallas|TX||达拉斯
Houston|TX||休斯敦
Denver|CO||丹佛
Phoenix|AZ||菲尼克斯
Las Vegas|NV||拉斯维加斯
Salt Lake City|UT||盐湖城
Minneapolis|MN||明尼阿波利斯
Detroit|MI||底特律
New Orleans|LA||新奥尔良
Nashville|TN||纳什维尔
Honolulu|HI||檀香山
Anchorage|AK||安克雷奇
Toronto|Canada||多伦多
Vancouver|Canada||温哥华
Montreal|Canada||蒙特利尔
Mexico City|Mexico|Mexiko-Stadt|墨西哥城
Havana|Cuba|Havanna|哈瓦那
Bogota|Colombia|Bogotá|波哥大
Lima|Peru||利马
Santiago|Chile||圣地亚哥（智利）
Buenos Aires|Argentina||布宜诺斯艾利斯
Rio de Janeiro|Brazil||里约热内卢
Sao Paulo|Brazil|São Paulo|圣保罗
"""

REGION: dict[str, str] = {}  # English name -> state or country
GERMAN: dict[str, str] = {}
CHINESE: dict[str, str] = {}
ENGLISH: dict[str, str] = {"nyc": "New York", "sf": "San Francisco", "la": "Los Angeles"}  # any name, lower case
for _line in TABLE.split("\n"):
    if _line:
        _english, REGION[_english], _german, CHINESE[_english] = _line.split("|")
        GERMAN[_english] = _german or _english
        for _name in (_english, _german or _english, CHINESE[_english]):
            ENGLISH.setdefault(_name.lower(), _english)

CHINESE_NAMES = re.compile("|".join(sorted(CHINESE.values(), key=len, reverse=True)))


def english(name: str) -> str:
    """Return the English name of a city, the name itself if it is not in the table."""
    known = ENGLISH.get(name.lower())
    if known is None and name.endswith("市"):
        known = ENGLISH.get(name[:-1])
    return known or name


def named_in(language: str, name: str) -> str:
    """Return the name of a city (in English or with its region, "Austin, TX") as `language` has it."""
    known = english(name.split(",")[0].strip())
    return {"zh": CHINESE, "de": GERMAN}.get(language, {}).get(known, known)


_PLACES = """
Austin 30.27 -97.74, Berlin 52.52 13.41, Chengdu 30.57 104.07, Oslo 59.91 10.75, Vienna 48.21 16.37, Munich 48.14 11.58,
Hamburg 53.55 9.99, Cologne 50.94 6.96, Frankfurt 50.11 8.68, Zurich 47.38 8.54, London 51.51 -0.13, Paris 48.86 2.35,
Madrid 40.42 -3.70, Rome 41.90 12.50, Amsterdam 52.37 4.90, Lisbon 38.72 -9.14, Copenhagen 55.68 12.57,
Stockholm 59.33 18.07, Istanbul 41.01 28.98, Moscow 55.76 37.62, Cairo 30.04 31.24, Dubai 25.20 55.27,
Mumbai 19.08 72.88, Delhi 28.61 77.21, Singapore 1.35 103.82, Tokyo 35.68 139.65, Seoul 37.57 126.98,
Beijing 39.90 116.41, Shanghai 31.23 121.47, Shenzhen 22.54 114.06, Hong Kong 22.32 114.17, Sydney -33.87 151.21,
New York 40.71 -74.01, Boston 42.36 -71.06, Chicago 41.88 -87.63, Miami 25.76 -80.19, Denver 39.74 -104.99,
Seattle 47.61 -122.33, San Francisco 37.77 -122.42, Los Angeles 34.05 -118.24, Sacramento 38.58 -121.49,
Toronto 43.65 -79.38, Mexico City 19.43 -99.13, Sao Paulo -23.55 -46.63
"""
COORDINATES: dict[str, tuple[float, float]] = {}  # English name -> latitude, longitude
for _place in _PLACES.replace("\n", " ").split(","):
    _name, _latitude, _longitude = _place.strip().rsplit(" ", 2)
    COORDINATES[_name] = (float(_latitude), float(_longitude))

STATES: dict[str, str] = dict(  # of the USA
    one.strip().rsplit(" ", 1)
    for one in """
    Alabama AL, Alaska AK, Arizona AZ, Arkansas AR, California CA, Colorado CO, Connecticut CT, Delaware DE,
    Florida FL, Georgia GA, Hawaii HI, Idaho ID, Illinois IL, Indiana IN, Iowa IA, Kansas KS, Kentucky KY,
    Louisiana LA, Maine ME, Maryland MD, Massachusetts MA, Michigan MI, Minnesota MN, Mississippi MS, Missouri
    MO, Montana MT, Nebraska NE, Nevada NV, New Hampshire NH, New Jersey NJ, New Mexico NM, New York NY, North
    Carolina NC, North Dakota ND, Ohio OH, Oklahoma OK, Oregon OR, Pennsylvania PA, Rhode Island RI, South
    Carolina SC, South Dakota SD, Tennessee TN, Texas TX, Utah UT, Vermont VT, Virginia VA, Washington WA,
    West Virginia WV, Wisconsin WI, Wyoming WY""".split(",")
)
